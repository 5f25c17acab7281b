package dev.evenkeel.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Makes a jar of source code, as a user would. */
public final class SourceJar {

  private SourceJar() {}

  /**
   * @param service the interface in whose file the classes are named
   * @param sources by the name of the class, in turns with its code
   */
  public static Path make(Path jar, Class<?> service, String... sources) throws IOException {
    Path folder = Files.createDirectories(jar.resolveSibling(jar.getFileName() + "-classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < sources.length; i += 2) {
      names.add(sources[i]);
      Path source = folder.resolve(sources[i].replace('.', '/') + ".java");
      Files.createDirectories(source.getParent());
      Files.writeString(source, sources[i + 1]);
      var said = new StringWriter();
      try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
        List<String> options =
            List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
        boolean compiled =
            compiler
                .getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                .call();
        assertThat(compiled).as(said.toString()).isTrue();
      }
    }
    try (OutputStream file = Files.newOutputStream(jar);
        var out = new JarOutputStream(file);
        Stream<Path> made = Files.walk(folder)) {
      for (Path each : made.filter(it -> it.toString().endsWith(".class")).toList()) {
        out.putNextEntry(new JarEntry(folder.relativize(each).toString()));
        Files.copy(each, out);
        out.closeEntry();
      }
      out.putNextEntry(new JarEntry("META-INF/services/" + service.getName()));
      out.write(String.join("\n", names).getBytes(StandardCharsets.UTF_8));
      out.closeEntry();
    }
    return jar;
  }
}

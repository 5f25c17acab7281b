package dev.evenkeel.prove;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Classes made for one test. */
final class Sources {

  private Sources() {}

  /**
   * Compiles the sources, by their class's name, into a folder of their own below the given one,
   * and returns that folder. It sees nothing but the JDK: the classes stand for ours, they do not
   * use them.
   */
  static Path compile(Path folder, Map<String, String> sources) {
    Path classes = folder.resolve("classes-" + requireNonNull(folder.toFile().list()).length);
    assertThat(classes.toFile().mkdir()).isTrue();
    JavaCompiler compiler = requireNonNull(ToolProvider.getSystemJavaCompiler(), "not a JDK");
    List<JavaFileObject> files =
        sources.entrySet().stream()
            .<JavaFileObject>map(source -> new Source(source.getKey(), source.getValue()))
            .toList();
    var messages = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                messages,
                null,
                null,
                List.of("-proc:none", "-cp", "", "-d", classes.toString()),
                null,
                files)
            .call();
    assertThat(compiled).as(messages.toString()).isTrue();
    return classes;
  }

  private static final class Source extends SimpleJavaFileObject {

    private final String text;

    Source(String className, String text) {
      super(URI.create("string:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}

package dev.evenkeel.kernel.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Inputs that reach most of the code: what fuzzing starts from. */
final class Seeds {

  private static final List<String> JSON =
      List.of(
          "{\"a\":[1,-2.5e3,\"b\\n\\u00e4\\ud834\\udd1e\",null,true,false,{}],\"a\":{\"b\":[]}}",
          "9223372036854775808",
          "\"\\ud800\"",
          "[[[[[[[[[[1]]]]]]]]]]",
          "{\"\":\"\u20ac\ud834\udd1e\"}");

  private static final List<String> YAML =
      List.of(
          "a: &x\n  b: [1, 0x1f, 010, ~, yes, .inf]\nc: *x\nd: {<<: *x, e: 'f'}\n",
          "- |\n  text\n- >-\n  folded\n- \"q\\x41\\U0001d11e\"\n- !!str 1\n- ! 2\n",
          "---\n# comment\na: 1\n...\n",
          "? a\n: b\n? c\n",
          "%YAML 1.2\n---\n{a: [b, c: d], \"e\": f}",
          "a: &a [x, &b y, *b]\nb: *a\na: 2\n");

  private static final List<String> LABELS =
      List.of(
          "a=b,c==d,e!=f,g in (h,i,),j notin (k),l,!m,n>1,o<2",
          "example.com/a in (),in=notin, ! x",
          "a=,b in (,)",
          "x==y==z");

  private static final List<String> FIELDS =
      List.of("metadata.name=a,spec.nodeName!=b\\,c\\=d\\\\", "a==b,,=,x!=", "a\\=b,c\\,d=e");

  private static final List<String> SETS =
      List.of(
          "{\"f:metadata\":{\"f:labels\":{\".\":{},\"f:a\":{}}},\"f:spec\":{\"f:c\":{"
              + "\"k:{\\\"name\\\":\\\"x\\\",\\\"n\\\":1}\":{\".\":{},\"f:i\":{}}}}}",
          "{\"v:\\\"a\\\"\":{},\"v:1.0\":{},\"v:1\":{},\"v:true\":{},\"v:null\":{},\"v:[{}]\":{}}",
          "{\"i:3\":{},\"i:-1\":{},\"x:future\":{},\".\":{},\"f:\":{}}");

  private Seeds() {}

  static List<byte[]> of(FuzzTarget target) {
    return switch (target) {
      case JSON -> bytes(JSON.stream());
      case YAML -> bytes(Stream.concat(YAML.stream(), JSON.stream()));
      case LABEL_SELECTOR -> bytes(LABELS.stream());
      case FIELD_SELECTOR -> bytes(FIELDS.stream());
      case FIELDS -> bytes(SETS.stream());
      case LABEL_SELECTOR_OBJECT, JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY ->
          List.of(new byte[0], new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1});
    };
  }

  private static List<byte[]> bytes(Stream<String> texts) {
    return texts.map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
  }
}

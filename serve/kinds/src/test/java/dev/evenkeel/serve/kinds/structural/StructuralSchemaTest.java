package dev.evenkeel.serve.kinds.structural;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class StructuralSchemaTest {

  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static ObjectNode object(String text) {
    return (ObjectNode) json(text);
  }

  /** A schema with one field in its spec. */
  private static StructuralSchema field(String schema) {
    JsonNode whole =
        json(
            "{'type':'object','properties':{'spec':{'type':'object','properties':{'f':"
                + schema
                + "}}}}");
    var problems = new Problems();
    StructuralSchema.check(whole, "s", problems);
    assertThat(problems.errors()).isEmpty();
    return StructuralSchema.compile(whole);
  }

  private static List<String> errors(StructuralSchema schema, String object) {
    var problems = new Problems();
    schema.validate(object(object), null, problems);
    schema.validateInvariants(object(object), null, problems);
    return problems.errors().stream().map(FieldError::toString).toList();
  }

  private static List<String> schemaErrors(String schema) {
    var problems = new Problems();
    StructuralSchema.check(json(schema), "s", problems);
    return problems.errors().stream().map(FieldError::toString).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'integer'} | 'x' | spec.f: Invalid value: "string": spec.f in body must be of type integer: "string"
          {'type':'string'} | 1 | spec.f: Invalid value: "integer": spec.f in body must be of type string: "integer"
          {'type':'integer'} | 1.5 | spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"
          {'type':'object'} | [] | spec.f: Invalid value: "array": spec.f in body must be of type object: "array"
          {'type':'string'} | null | spec.f: Invalid value: "null": spec.f in body must be of type string: "null"
          {'type':'string','pattern':'^a+$'} | 'b' | spec.f: Invalid value: "b": spec.f in body should match '^a+$'
          {'type':'string','minLength':2} | 'b' | spec.f: Invalid value: "b": spec.f in body should be at least 2 chars long
          {'type':'string','maxLength':2} | 'bbb' | spec.f: Too long: may not be more than 2 bytes
          {'type':'string','enum':['a','b']} | 'c' | spec.f: Unsupported value: "c": supported values: "a", "b"
          {'type':'string','format':'date-time'} | 'c' | spec.f: Invalid value: "c": spec.f in body must be of type date-time: "c"
          {'type':'string','format':'ipv6'} | '1.2.3.4' | spec.f: Invalid value: "1.2.3.4": spec.f in body must be of type ipv6: "1.2.3.4"
          {'type':'integer','minimum':2} | 1 | spec.f: Invalid value: 1: spec.f in body should be greater than or equal to 2
          {'type':'integer','minimum':2,'exclusiveMinimum':true} | 2 | spec.f: Invalid value: 2: spec.f in body should be greater than 2
          {'type':'number','maximum':2.5} | 3 | spec.f: Invalid value: 3: spec.f in body should be less than or equal to 2.5
          {'type':'integer','multipleOf':3} | 4 | spec.f: Invalid value: 4: spec.f in body should be a multiple of 3
          {'type':'array','items':{'type':'string'},'maxItems':1} | ['a','b'] | spec.f: Too many: 2: must have at most 1 items
          {'type':'array','items':{'type':'string'},'minItems':1} | [] | spec.f: Invalid value: 0: spec.f in body should have at least 1 items
          {'type':'array','items':{'type':'string'}} | ['a',2] | spec.f[1]: Invalid value: "integer": spec.f[1] in body must be of type string: "integer"
          {'type':'array','items':{'type':'string'},'x-kubernetes-list-type':'set'} | ['a','a'] | spec.f[1]: Duplicate value: "a"
          {'type':'object','required':['g']} | {} | spec.f.g: Required value
          {'type':'object','additionalProperties':{'type':'integer'}} | {'k':'v'} | spec.f.k: Invalid value: "string": spec.f.k in body must be of type integer: "string"
          {'type':'object','x-kubernetes-preserve-unknown-fields':true,'oneOf':[{'required':['a']},{'required':['b']}]} | {'a':1,'b':1} | <nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found 2 valid alternatives
          {'type':'string','not':{'pattern':'c'}} | 'c' | <nil>: Invalid value: "": "spec.f" must not validate the schema (not)
          {'type':'object','x-kubernetes-preserve-unknown-fields':true,'minProperties':1} | {} | spec.f: Invalid value: 0: spec.f in body should have at least 1 properties
          {'type':'object','additionalProperties':false} | {'k':1} | spec.f: Invalid value: "k": spec.f.k in body is a forbidden property
          {'type':'string','maxLength':-1} | '' | spec.f: Too long: value is too long
          {'type':'string','format':'k8s-short-name'} | 'A' | spec.f: Invalid value: "A": spec.f in body must be of type k8s-short-name: "A"
          {'type':'string','format':'isbn'} | '0-321-75104-4' | spec.f: Invalid value: "0-321-75104-4": spec.f in body must be of type isbn: "0-321-75104-4"
          {'type':'integer','multipleOf':0} | 1 | spec.f: Invalid value: 0: factor MultipleOf declared for spec.f must be positive: 0
          {'x-kubernetes-int-or-string':true} | true | spec.f: Invalid value: "boolean": spec.f in body must be of type integer,string: "boolean"
          """)
  void aWrongValue_isToldInTheWordsThatUsersKnow(String schema, String value, String error) {
    assertThat(errors(field(schema), "{'spec':{'f':" + value + "}}")).containsExactly(error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'integer'} | 1.0
          {'type':'number'} | 1
          {'type':'string','nullable':true} | null
          {'x-kubernetes-int-or-string':true} | '10%'
          {'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer'},{'type':'string'}]} | 5
          {'type':'string','format':'date-time'} | '2026-01-01T00:00:00Z'
          {'type':'string','format':'ipv6'} | 'fe80::1'
          {'type':'string','format':'cidr'} | '10.0.0.0/8'
          {'type':'string','format':'of nobody'} | 'x'
          {'type':'string','pattern':'(a*)*b?$'} | 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
          {'x-kubernetes-preserve-unknown-fields':true} | {'any':[1,{'t':null}]}
          {'type':'object','additionalProperties':true} | {'any':[1]}
          {'type':'integer','format':'int32'} | 3000000000
          {'type':'string','x-kubernetes-int-or-string':true} | 5
          {'type':'string','format':'isbn'} | '0-321-75104-3'
          {'type':'string','format':'creditcard'} | '4111 1111 1111 1111'
          {'type':'string','format':'duration'} | '3 weeks'
          """)
  void aRightValue_isFine(String schema, String value) {
    assertThat(errors(field(schema), "{'spec':{'f':" + value + "}}")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'string'} | s.type: Invalid value: "string": must be object at the root
          {} | s.type: Required value: must not be empty at the root
          {'type':'object','properties':{'a':{}}} | s.properties[a].type: Required value: must not be empty for specified object fields
          {'type':'object','properties':{'a':{'type':'array'}}} | s.properties[a].items: Required value: must be specified
          {'type':'object','properties':{'a':{'type':'array','items':{}}}} | s.properties[a].items.type: Required value: must not be empty for specified array items
          {'type':'object','properties':{'a':{'type':'float'}}} | s.properties[a].type: Unsupported value: "float": supported values: "array", "boolean", "integer", "number", "object", "string"
          {'type':'object','additionalProperties':{'type':'string'}} | s.additionalProperties: Forbidden: must not be used at the root
          {'type':'object','properties':{'a':{'type':'object','properties':{'b':{'type':'string'}},'additionalProperties':{'type':'string'}}}} | s.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive
          {'type':'object','properties':{'a':{'type':'string','anyOf':[{'type':'string'}]}}} | s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural
          {'type':'object','properties':{'a':{'type':'string','pattern':'('}}} | s.properties[a].pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(`
          {'type':'object','properties':{'a':{'$ref':'#/x','type':'string'}}} | s.properties[a].$ref: Forbidden: $ref is not supported
          {'type':'object','properties':{'a':{'type':'array','uniqueItems':true,'items':{'type':'string'}}}} | s.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic
          {'type':'object','properties':{'a':{'type':'array','x-kubernetes-list-type':'map','items':{'type':'object'}}}} | s.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map
          {'type':'object','properties':{'a':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['n'],'items':{'type':'object'}}}} | s.properties[a].x-kubernetes-list-map-keys: Invalid value: ["n"]: entries must all be names of item properties
          {'type':'object','properties':{'a':{'type':'integer','default':'x'}}} | s.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"
          {'type':'object','properties':{'a':{'type':'object','default':{'b':1}}}} | s.properties[a].default: Invalid value: {"b":1}: must not have unknown fields
          {'type':'object','properties':{'a':{'type':'object','x-kubernetes-preserve-unknown-fields':false}}} | s.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined
          {'type':'object','properties':{'a':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'object'}}}} | s.properties[a].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set
          {'type':'object','properties':{'a':{'type':'array','x-kubernetes-list-type':'nope','items':{'type':'object'}}}} | s.properties[a].x-kubernetes-list-type: Unsupported value: "nope": supported values: "atomic", "set", "map"
          {'type':'object','properties':{'a':{'type':'object','x-kubernetes-map-type':'nope'}}} | s.properties[a].x-kubernetes-map-type: Unsupported value: "nope": supported values: "atomic", "granular"
          {'type':'object','properties':{'a':{'type':'string','x-kubernetes-map-type':'atomic'}}} | s.properties[a].type: Invalid value: "string": must be object if x-kubernetes-map-type is specified
          {'type':'object','properties':{'a':{'type':'string','allOf':[{'nullable':true}]}}} | s.properties[a].allOf[0].nullable: Forbidden: must be false to be structural
          {'type':'object','properties':{'metadata':{'type':'object','description':'d'}}} | s.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified
          {'type':'object','properties':{'kind':{'type':'integer'}}} | s.properties[kind].type: Invalid value: "integer": must be string
          {'type':'object','properties':{'metadata':{'type':'object','default':{}}}} | s.properties[metadata].default: Forbidden: must not be set in top-level metadata
          {'type':'object','anyOf':[{'properties':{'b':{'minimum':1}}}]} | s.properties[b]: Required value: because it is defined in s.anyOf[0].properties[b]
          {'type':'object','x-kubernetes-validations':[{'rule':'true','fieldPath':'.nope'}]} | s.x-kubernetes-validations[0].fieldPath: Invalid value: ".nope": must be a valid path
          {'type':'object','x-kubernetes-validations':[{'rule':'true','reason':'Nope'}]} | s.x-kubernetes-validations[0].reason: Unsupported value: "Nope": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"
          {'type':'object','$schema':'x'} | s: Invalid value: "": OpenAPIV3Schema 'schema' is not supported
          """)
  void aSchemaThatIsNotStructural_isRefusedWithThePlace(String schema, String error) {
    assertThat(schemaErrors(schema)).contains(error.strip());
  }

  /** Of alternatives that all fail, the reasons of the one that came furthest are told too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'object','x-kubernetes-preserve-unknown-fields':true,'oneOf':[{'required':['a']},{'required':['b']}]} | {} | <nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found none valid | spec.f.a: Required value
          {'type':'string','anyOf':[{'pattern':'a'},{'pattern':'b'}]} | 'c' | <nil>: Invalid value: "": "spec.f" must validate at least one schema (anyOf) | spec.f: Invalid value: "c": spec.f in body should match 'a'
          {'type':'string','allOf':[{'pattern':'a'}]} | 'c' | spec.f: Invalid value: "c": spec.f in body should match 'a' | <nil>: Invalid value: "": "spec.f" must validate all the schemas (allOf). None validated
          {'type':'integer','multipleOf':2} | 4.5 | spec.f: Invalid value: "number": spec.f in body must be of type integer: "number" | spec.f: Invalid value: 4.5: spec.f in body should be a multiple of 2
          """)
  void severalFaults_areToldInOrder(String schema, String value, String first, String second) {
    assertThat(errors(field(schema), "{'spec':{'f':" + value + "}}"))
        .containsExactly(first, second);
  }

  @Test
  void whatWasWrongBefore_mayStay_whileItDoesNotChange() {
    StructuralSchema schema =
        field(
            "{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['n'],"
                + "'items':{'type':'object','required':['n'],'properties':{'n':{'type':'string'},"
                + "'v':{'type':'string','anyOf':[{'pattern':'a'}]}}}}");
    ObjectNode old = object("{'spec':{'f':[{'n':'x','v':'b'},{'n':'y','v':'b'}]}}");
    var problems = new Problems();
    schema.validate(
        object("{'spec':{'f':[{'n':'y','v':'c'},{'n':'x','v':'b'}]}}"), old, problems);
    assertThat(problems.errors().stream().map(FieldError::toString))
        .containsExactly(
            "<nil>: Invalid value: \"\": \"spec.f[0].v\" must validate at least one schema (anyOf)",
            "spec.f[0].v: Invalid value: \"c\": spec.f[0].v in body should match 'a'");
  }

  @Test
  void formatsThatNobodyKnows_areNamed() {
    assertThat(
            StructuralSchema.unknownFormats(
                json(
                    "{'type':'object','properties':{'a':{'type':'integer','format':'int32'},'b':"
                        + "{'type':'array','items':{'type':'string','format':'date-time'}}}}")))
        .containsExactly("int32");
  }

  @Test
  void unknownFields_goAway_andAreNamed() {
    StructuralSchema schema =
        field("{'type':'array','items':{'type':'object','properties':{'g':{'type':'string'}}}}");
    ObjectNode object =
        object(
            "{'apiVersion':'a/v1','kind':'K','metadata':{'name':'n','any':1},"
                + "'spec':{'f':[{'g':'x','h':1}],'i':{'j':2}},'more':3}");
    assertThat(schema.prune(object))
        .containsExactly(
            "unknown field \"more\"", "unknown field \"spec.f[0].h\"", "unknown field \"spec.i\"");
    assertThat(object)
        .isEqualTo(
            object(
                "{'apiVersion':'a/v1','kind':'K','metadata':{'name':'n','any':1},"
                    + "'spec':{'f':[{'g':'x'}]}}"));
  }

  @Test
  void anEmbeddedResource_keepsWhatEveryObjectHas() {
    StructuralSchema schema =
        field(
            "{'type':'object','x-kubernetes-embedded-resource':true,'properties':"
                + "{'spec':{'type':'object'}}}");
    ObjectNode object =
        object("{'spec':{'f':{'apiVersion':'v1','kind':'Pod','metadata':{'name':'x'},'b':1}}}");
    assertThat(schema.prune(object)).containsExactly("unknown field \"spec.f.b\"");
    assertThat(errors(schema, "{'spec':{'f':{'metadata':{}}}}"))
        .containsExactly(
            "spec.f.apiVersion: Required value", "spec.f.kind: Required value");
  }

  @Test
  void defaults_areFilledInWhereTheParentIs_andReplaceNulls() {
    StructuralSchema schema =
        field(
            "{'type':'object','properties':{'a':{'type':'integer','default':3},'b':{'type':"
                + "'object','default':{},'properties':{'c':{'type':'string','default':'d'}}},"
                + "'e':{'type':'string','nullable':true,'default':'f'}}}");
    ObjectNode absent = object("{'spec':{}}");
    schema.applyDefaults(absent);
    assertThat(absent).isEqualTo(object("{'spec':{}}"));
    ObjectNode there = object("{'spec':{'f':{'a':null,'e':null}}}");
    schema.applyDefaults(there);
    assertThat(there).isEqualTo(object("{'spec':{'f':{'e':null,'a':3,'b':{'c':'d'}}}}"));
    ObjectNode empty = object("{'spec':{'f':{'e':'','a':0}}}");
    schema.applyDefaults(empty);
    assertThat(empty).isEqualTo(object("{'spec':{'f':{'e':'','a':0,'b':{'c':'d'}}}}"));
  }

  @Test
  void aSchemaThatIsTooDeepOrTooWide_isRefused() {
    var deep = new StringBuilder();
    for (int i = 0; i < 80; i++) {
      deep.append("{'type':'object','properties':{'a':");
    }
    deep.append("{'type':'string'}").append("}}".repeat(80));
    assertThat(schemaErrors(deep.toString())).anyMatch(error -> error.contains("64 levels deep"));
    var wide = new StringBuilder("{'type':'object','properties':{");
    for (int i = 0; i < 25_000; i++) {
      wide.append(i == 0 ? "" : ",").append("'f").append(i).append("':{'type':'string'}");
    }
    assertThat(schemaErrors(wide.append("}}").toString()))
        .anyMatch(error -> error.contains("more than 20000 parts"));
  }

  /** Whatever a schema looks like, it compiles or is refused, and what compiled can be used. */
  @Test
  void damagedSchemas_areCompiledOrRefused() {
    String whole =
        "{'type':'object','properties':{'spec':{'type':'object','required':['a'],'properties':"
            + "{'a':{'type':'string','pattern':'^a','default':'a'},'b':{'type':'array',"
            + "'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['n'],'items':{'type':"
            + "'object','required':['n'],'properties':{'n':{'type':'string'}}}},'c':{"
            + "'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer'},{'type':'string'}]},"
            + "'d':{'type':'object','additionalProperties':{'type':'number','minimum':1}}}}}}";
    int refused = 0;
    int compiled = 0;
    for (int seed = 0; seed < 3_000; seed++) {
      var random = new SplittableRandom(seed);
      JsonNode schema = json(whole);
      for (int i = 0; i <= random.nextInt(3); i++) {
        damage(schema, random, 0);
      }
      var problems = new Problems();
      StructuralSchema.check(schema, "s", problems);
      if (!problems.isEmpty()) {
        refused++;
        continue;
      }
      compiled++;
      StructuralSchema read = StructuralSchema.compile(schema);
      ObjectNode object = object("{'spec':{'a':null,'b':[{'n':'x'},{'n':1}],'c':'5','d':{'e':0}}}");
      read.prune(object);
      read.applyDefaults(object);
      ObjectNode once = object.deepCopy();
      read.applyDefaults(object);
      assertThat(object).as("seed %s", seed).isEqualTo(once);
      read.validate(object, once, new Problems());
      read.validate(object, null, new Problems());
      read.validateInvariants(object, null, new Problems());
    }
    assertThat(refused).isPositive();
    assertThat(compiled).isPositive();
  }

  private static void damage(JsonNode node, SplittableRandom random, int depth) {
    if (node instanceof ObjectNode object && !object.isEmpty()) {
      List<String> names = List.copyOf(object.propertyNames());
      String name = names.get(random.nextInt(names.size()));
      if (depth > 8 || random.nextInt(4) == 0) {
        switch (random.nextInt(5)) {
          case 0 -> object.remove(name);
          case 1 -> object.putNull(name);
          case 2 -> object.put(name, random.nextInt(100) - 50);
          case 3 -> object.put(name, "object");
          default -> object.set("x-kubernetes-list-type", object.remove(name));
        }
      } else {
        damage(object.get(name), random, depth + 1);
      }
    } else if (node instanceof ArrayNode array && !array.isEmpty()) {
      damage(array.get(random.nextInt(array.size())), random, depth + 1);
    }
  }
}

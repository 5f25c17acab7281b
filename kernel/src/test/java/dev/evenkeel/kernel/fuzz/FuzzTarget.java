package dev.evenkeel.kernel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.apply.ConflictException;
import dev.evenkeel.kernel.apply.FieldSet;
import dev.evenkeel.kernel.apply.ManagedFields;
import dev.evenkeel.kernel.apply.Manager;
import dev.evenkeel.kernel.apply.TypeCheck;
import dev.evenkeel.kernel.apply.TypeException;
import dev.evenkeel.kernel.apply.Updater;
import dev.evenkeel.kernel.apply.Versions;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.patch.JsonPatch;
import dev.evenkeel.kernel.patch.MergePatch;
import dev.evenkeel.kernel.patch.StrategicMergePatch;
import dev.evenkeel.kernel.schema.Shape;
import dev.evenkeel.kernel.selector.FieldSelector;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What must hold for any bytes at all. The texts' targets read them as they are, the patches' as a
 * {@link TreeScript}: so that most of them make patches that are nearly right.
 */
public enum FuzzTarget {
  JSON {
    @Override
    void run(byte[] bytes) {
      decode(bytes, Json.Format.JSON);
    }
  },
  YAML {
    @Override
    void run(byte[] bytes) {
      decode(bytes, Json.Format.YAML);
    }
  },
  LABEL_SELECTOR {
    @Override
    void run(byte[] bytes) {
      try {
        LabelSelector selector = LabelSelector.parse(text(bytes));
        assertThat(LabelSelector.parse(selector.toString())).isEqualTo(selector);
        boolean matches = selector.matches(Map.of("a", "b", "in", "1"));
        assertThat(matches || !selector.isEverything()).isTrue();
      } catch (ApiException e) {
        assertThat(e.status().code()).isEqualTo(400);
      }
    }
  },
  LABEL_SELECTOR_OBJECT {
    @Override
    void run(byte[] bytes) {
      try {
        LabelSelector selector = LabelSelector.fromJson(TreeScript.selector(bytes));
        assertThat(LabelSelector.parse(selector.toString())).isEqualTo(selector);
      } catch (ApiException e) {
        assertThat(e.status().code()).isEqualTo(400);
      }
    }
  },
  FIELD_SELECTOR {
    @Override
    void run(byte[] bytes) {
      try {
        FieldSelector selector = FieldSelector.parse(text(bytes));
        assertThat(FieldSelector.parse(selector.toString())).isEqualTo(selector);
        boolean matches = selector.matches(path -> "");
        assertThat(matches || !selector.isEverything()).isTrue();
      } catch (ApiException e) {
        assertThat(e.status().code()).isEqualTo(400);
      }
    }
  },
  JSON_PATCH {
    @Override
    void run(byte[] bytes) {
      var script = new TreeScript(bytes);
      ObjectNode object = script.item();
      patch(object, script.jsonPatch(), JsonPatch::apply);
    }
  },
  MERGE_PATCH {
    @Override
    void run(byte[] bytes) {
      var script = new TreeScript(bytes);
      ObjectNode object = script.item();
      JsonNode patch = script.any();
      patch(object, patch, MergePatch::apply);
      if (patch.isObject()) {
        ObjectNode once = MergePatch.apply(patch, object);
        assertThat(MergePatch.apply(patch, once)).isEqualTo(once);
      }
    }
  },
  STRATEGIC_MERGE_PATCH {
    @Override
    void run(byte[] bytes) {
      var script = new TreeScript(bytes);
      ObjectNode object = script.item();
      patch(
          object,
          script.item(),
          (patch, before) ->
              StrategicMergePatch.apply((ObjectNode) patch, before, TreeScript.ITEM));
    }
  },
  FIELDS {
    @Override
    void run(byte[] bytes) {
      try {
        FieldSet fields = FieldSet.fromJson(Json.parse(bytes));
        assertThat(FieldSet.fromJson(Json.parse(Json.encode(fields.toJson())))).isEqualTo(fields);
        assertThat(fields.union(fields)).isEqualTo(fields);
        assertThat(fields.intersection(fields)).isEqualTo(fields);
        assertThat(fields.difference(fields).isEmpty()).isTrue();
        assertThat(fields.paths().size()).isGreaterThanOrEqualTo(fields.leaves().paths().size());
      } catch (JsonException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  },
  APPLY {
    @Override
    void run(byte[] bytes) {
      var script = new TreeScript(bytes);
      ObjectNode live = script.item();
      ObjectNode configuration = script.item();
      var _ = Shape.apply(live, TreeScript.OWNED);
      try {
        apply(live, configuration, ManagedFields.fromJson(script.managers()));
      } catch (JsonException | TypeException | ConflictException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  };

  private static final Versions ONE_VERSION =
      new Versions() {
        @Override
        public @Nullable Version at(String apiVersion) {
          return apiVersion.equals("v1") ? version() : null;
        }

        @Override
        public ObjectNode convert(ObjectNode object, String from, String to) {
          return object;
        }
      };

  private static Versions.Version version() {
    return new Versions.Version(
        "v1", TreeScript.OWNED, JsonNodeFactory.instance.objectNode(), FieldSet.EMPTY);
  }

  /** Nothing that went in is changed, what comes out can be sent on, and once is enough. */
  private static void apply(ObjectNode live, ObjectNode configuration, ManagedFields managers) {
    if (!Shape.apply(configuration, TreeScript.OWNED).typeErrors().isEmpty()) {
      return;
    }
    TypeCheck.check(configuration, TreeScript.OWNED);
    ObjectNode liveBefore = live.deepCopy();
    ObjectNode configurationBefore = configuration.deepCopy();
    var updater = new Updater(ONE_VERSION, version());
    var manager = Manager.applier("a", "");
    Updater.Applied once = updater.apply(live, configuration, managers, manager, true, "t");
    assertThat(live).isEqualTo(liveBefore);
    assertThat(configuration).isEqualTo(configurationBefore);
    assertSendable(once.object());
    assertSendable(once.managers().toJson());
    assertThat(ManagedFields.fromJson(once.managers().toJson()))
        .isEqualTo(new ManagedFields(once.managers().owned()));
    Updater.Applied twice =
        updater.apply(once.object(), configuration, once.managers(), manager, false, "t");
    assertThat(twice.object()).isEqualTo(once.object());
  }

  /** Throws whatever is not an answer to a client. */
  abstract void run(byte[] bytes);

  /** Where Jazzer comes in: the first byte chooses the target. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    if (bytes.length > 0) {
      FuzzTarget[] targets = values();
      targets[(bytes[0] & 0xff) % targets.length].run(Arrays.copyOfRange(bytes, 1, bytes.length));
    }
  }

  private interface Application {
    ObjectNode apply(JsonNode patch, ObjectNode object);
  }

  private static void decode(byte[] bytes, Json.Format format) {
    try {
      assertSendable(Json.decode(bytes, format).tree());
    } catch (JsonException e) {
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  /** Refused or not, nothing that went in is changed, and what comes out can be sent on. */
  private static void patch(ObjectNode object, JsonNode patch, Application application) {
    ObjectNode objectBefore = object.deepCopy();
    JsonNode patchBefore = patch.deepCopy();
    try {
      assertSendable(application.apply(patch, object));
    } catch (ApiException e) {
      assertThat(e.status().code()).isIn(400, 413, 422);
    }
    assertThat(object).isEqualTo(objectBefore);
    assertThat(patch).isEqualTo(patchBefore);
  }

  private static void assertSendable(JsonNode tree) {
    assertThat(Json.parse(Json.encode(tree))).isEqualTo(tree);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}

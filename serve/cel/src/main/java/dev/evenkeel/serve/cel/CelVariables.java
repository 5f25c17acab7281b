package dev.evenkeel.serve.cel;

import dev.evenkeel.serve.cel.json.JsonValues;
import dev.evenkeel.serve.cel.meter.CostExceeded;
import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.type.DeclaredType;
import dev.evenkeel.serve.cel.value.AccessDecider;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.MapValue;
import dev.evenkeel.serve.cel.value.NullValue;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The values of variables, for any number of evaluations.
 *
 * <p>Threading: owned by the request.
 */
public final class CelVariables {

  private final Map<String, JsonNode> trees = new HashMap<>();
  private final Map<String, Object> values = new HashMap<>();

  /** A tree, looked at in place, or null. */
  public CelVariables set(String name, @Nullable JsonNode tree) {
    values.remove(name);
    trees.remove(name);
    if (tree == null) {
      values.put(name, NullValue.NULL);
    } else {
      trees.put(name, tree);
    }
    return this;
  }

  /** What another expression made. */
  public CelVariables set(String name, CelValue value) {
    return value(name, value.value());
  }

  /** Who answers what the variable is asked. */
  public CelVariables authorizer(String name, CelAuthorizer authorizer) {
    return value(name, new AccessDecider.Authorizer(new AuthorizerDecider(authorizer), null));
  }

  /** A question that only lacks its verb; expressions ask for all versions, whatever it says. */
  public CelVariables resourceCheck(
      String name, CelAuthorizer authorizer, CelAuthorizer.Question question) {
    return value(name, new AuthorizerDecider(authorizer).check(question));
  }

  private CelVariables value(String name, Object value) {
    trees.remove(name);
    values.put(name, value);
    return this;
  }

  /**
   * A field of an object whose fields are made when they are first asked for, as a policy's
   * variables are.
   */
  public CelVariables setField(String object, String field, Supplier<CelResult> result) {
    if (!(values.get(object) instanceof LazyObject)) {
      trees.remove(object);
      values.put(object, new LazyObject(object));
    }
    if (values.get(object) instanceof LazyObject lazy) {
      lazy.suppliers.put(field, result);
    }
    return this;
  }

  @Nullable Object find(String name, DeclaredType type, Meter meter) {
    Object value = values.get(name);
    JsonNode tree = value == null ? trees.get(name) : null;
    return tree == null ? value : JsonValues.of(tree, type, meter);
  }

  private static final class LazyObject extends MapValue {

    private final String name;
    private final Map<String, Supplier<CelResult>> suppliers = new LinkedHashMap<>();
    private final Map<String, CelResult> results = new HashMap<>();

    LazyObject(String name) {
      this.name = name;
    }

    @Override
    public int size() {
      return suppliers.size();
    }

    @Override
    public @Nullable Object find(Object key) {
      Supplier<CelResult> supplier = key instanceof String ? suppliers.get(key) : null;
      if (supplier == null) {
        return null;
      }
      CelResult result = results.get(key);
      if (result == null) {
        result = supplier.get();
        results.put((String) key, result);
      }
      return switch (result) {
        case CelResult.Made made -> made.value().value();
        case CelResult.Failed failed ->
            throw new EvaluationError(
                "composited variable \"" + key + "\" fails to evaluate: " + failed.message());
        case CelResult.Exceeded _ -> throw new CostExceeded();
      };
    }

    @Override
    public Collection<String> keys() {
      return suppliers.keySet();
    }

    @Override
    public String typeName() {
      return name;
    }
  }
}

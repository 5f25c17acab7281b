package dev.evenkeel.serve.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.types.TypeType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.evenkeel.serve.cel.estimate.CostEstimate;
import dev.evenkeel.serve.cel.library.Library;
import dev.evenkeel.serve.cel.plan.Plan;
import dev.evenkeel.serve.cel.plan.PlanException;
import dev.evenkeel.serve.cel.type.DeclaredType;
import dev.evenkeel.serve.cel.type.MutationTypes;
import dev.evenkeel.serve.cel.value.AccessDecider;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an expression can speak of: Kubernetes' functions and the variables declared here.
 * Immutable; any number of threads can compile with it at once.
 */
public final class CelEnvironment {

  private static final Pattern CANDIDATES = Pattern.compile(" \\(candidates: [^\\n]*\\)$");

  private static final Pattern SYNTAX =
      Pattern.compile(
          "^(mismatched input|extraneous input|no viable alternative|token recognition|missing )");

  private static final List<String> OPAQUE =
      List.of(
          "net.IP",
          "net.CIDR",
          "kubernetes.URL",
          "kubernetes.Quantity",
          "kubernetes.Semver",
          "kubernetes.NamedFormat");

  private static final CelCompiler BASE = base();

  /**
   * A variable.
   *
   * @param type what the checker takes it for
   * @param data how its JSON is read
   * @param optional whether it may be missing, and expressions have to say what they do then
   */
  record Variable(CelType type, DeclaredType data, boolean optional) {}

  private final CelCompiler compiler;
  private final Map<String, Variable> variables;
  private final ImmutableMap<String, StructType> objects;
  private final ImmutableMap<String, Map<String, CelProgram>> growing;
  private final boolean mutation;

  private CelEnvironment(
      CelCompiler compiler,
      Map<String, Variable> variables,
      ImmutableMap<String, StructType> objects,
      ImmutableMap<String, Map<String, CelProgram>> growing,
      boolean mutation) {
    this.compiler = compiler;
    this.variables = variables;
    this.objects = objects;
    this.growing = growing;
    this.mutation = mutation;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Upstream's limits of what its parser takes, so that it is not kept busy by one expression. */
  private static CelOptions options() {
    return CelOptions.current()
        .enableOptionalSyntax(true)
        .enableHeterogeneousNumericComparisons(true)
        .enableHiddenAccumulatorVar(true)
        .enableReservedIds(true)
        .maxExpressionCodePointSize(100_000)
        .maxParseExpressionNodeCount(50_000)
        .maxParseRecursionDepth(250)
        .maxParseErrorRecoveryLimit(30)
        .build();
  }

  private static CelCompiler base() {
    CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder();
    for (String name : OPAQUE) {
      builder.addVar(name, TypeType.create(OpaqueType.create(name)));
    }
    return builder
        .setOptions(options())
        .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
        .addMacros(Macros.all())
        .addFunctionDeclarations(Library.kubernetes().declarations())
        .addVar("google.protobuf.Timestamp", TypeType.create(SimpleType.TIMESTAMP))
        .addVar("google.protobuf.Duration", TypeType.create(SimpleType.DURATION))
        .addVar("optional_type", TypeType.create(OptionalType.create(TypeParamType.create("V"))))
        .build();
  }

  /**
   * Compiles an expression.
   *
   * @throws CelException if it cannot be, or makes something else than is asked for
   */
  public CelProgram compile(String expression, CelResultType expected) {
    CelAbstractSyntaxTree ast = checked(expression);
    if (!expected.accepts(ast.getResultType())) {
      throw new CelException(
          expected.refusal(ast.getResultType()), CelTypes.format(ast.getResultType()));
    }
    Plan plan;
    try {
      plan = Plan.of(ast);
    } catch (PlanException e) {
      throw new CelException(located(ast, e));
    }
    var used = new HashSet<String>();
    for (CelReference reference : ast.getReferenceMap().values()) {
      if (variables.containsKey(reference.name())) {
        used.add(reference.name());
      }
    }
    var data = new HashMap<String, DeclaredType>();
    variables.forEach((name, variable) -> data.put(name, variable.data()));
    long estimate = CostEstimate.of(ast, data);
    return new CelProgram(
        expression, plan, expected, ast.getResultType(), Set.copyOf(used), variables, estimate);
  }

  private CelAbstractSyntaxTree checked(String expression) {
    try {
      CelValidationResult result = compiler.parse(expression);
      if (!result.hasError()) {
        CelAbstractSyntaxTree parsed = result.getAst();
        result = checkerOf(parsed).check(parsed);
      }
      if (result.hasError()) {
        throw new CelException(text(result.getErrors(), result));
      }
      return result.getAst();
    } catch (CelValidationException e) {
      throw new CelException(String.valueOf(e.getMessage()));
    } catch (StackOverflowError e) {
      // The checker follows the expression with Java's stack; nothing is left behind in it.
      throw new CelException("ERROR: <input>:1:1: expression recursion limit exceeded");
    }
  }

  private CelCompiler checkerOf(CelAbstractSyntaxTree parsed) {
    return mutation
        ? compiler
            .toCompilerBuilder()
            .setTypeProvider(new Types(objects, growing, MutationTypes.names(parsed.getExpr())))
            .build()
        : compiler;
  }

  private static String text(List<CelIssue> issues, CelValidationResult result) {
    List<CelIssue> plain =
        issues.stream()
            .map(
                issue ->
                    CelIssue.formatError(
                        issue.getSourceLocation(), upstreamWords(issue.getMessage())))
            .toList();
    return CelIssue.toDisplayString(plain, result.getSource());
  }

  private static String upstreamWords(String message) {
    if (SYNTAX.matcher(message).find()) {
      return "Syntax error: " + message;
    }
    return CANDIDATES.matcher(message).replaceFirst("").replaceFirst("^The argument", "argument");
  }

  private static String located(CelAbstractSyntaxTree ast, PlanException e) {
    Integer position = ast.getSource().getPositionsMap().get(e.expressionId());
    return CelIssue.formatError(
            ast.getSource()
                .getOffsetLocation(position == null ? 0 : position)
                .orElse(CelSourceLocation.NONE),
            e.text())
        .toDisplayString(ast.getSource());
  }

  /** Collects variables. */
  public static final class Builder {

    private final Map<String, Variable> variables = new LinkedHashMap<>();
    private final Map<String, StructType> objects = new HashMap<>();
    private final Map<String, Map<String, CelProgram>> growing = new HashMap<>();
    private boolean authorization;
    private boolean mutation;

    private Builder() {}

    /** A variable of which nothing is known before it is looked at. */
    public Builder variable(String name) {
      variables.put(name, new Variable(SimpleType.DYN, DeclaredType.DYN, false));
      return this;
    }

    public Builder variable(String name, CelSchema schema) {
      objects.putAll(schema.types().objects());
      variables.put(name, new Variable(schema.type().celType(), schema.type(), false));
      return this;
    }

    /** A variable that may be missing, which expressions see as an optional value. */
    public Builder optionalVariable(String name, CelSchema schema) {
      objects.putAll(schema.types().objects());
      variables.put(
          name, new Variable(OptionalType.create(schema.type().celType()), schema.type(), true));
      return this;
    }

    /**
     * An object whose fields are what other expressions make. A field that is added to the map
     * later is known to what is compiled after that, by the same thread: building an environment
     * takes much longer than compiling with it.
     */
    public Builder object(String name, Map<String, CelProgram> fields) {
      String typeName = "kubernetes." + name;
      growing.put(typeName, fields);
      variables.put(name, new Variable(struct(typeName, fields), DeclaredType.DYN, false));
      return this;
    }

    private static StructType struct(String typeName, Map<String, CelProgram> fields) {
      ImmutableMap.Builder<String, CelType> types = ImmutableMap.builder();
      fields.forEach((field, program) -> types.put(field, program.type()));
      ImmutableMap<String, CelType> known = types.buildOrThrow();
      return StructType.create(
          typeName, known.keySet(), field -> Optional.ofNullable(known.get(field)));
    }

    /** A variable that can be asked who may do what. */
    public Builder authorizer(String name) {
      return opaque(name, AccessDecider.Authorizer.TYPE);
    }

    /**
     * A variable that can be asked who may do something with a resource that is given.
     *
     * @param name may have dots in it, even where what is before the dot is a variable too
     */
    public Builder resourceCheck(String name) {
      return opaque(name, AccessDecider.ResourceCheck.TYPE);
    }

    private Builder opaque(String name, String type) {
      authorization = true;
      variables.put(name, new Variable(OpaqueType.create(type), DeclaredType.DYN, false));
      return this;
    }

    /** Lets expressions make objects to apply, and patches. */
    public Builder mutation() {
      mutation = true;
      return this;
    }

    public CelEnvironment build() {
      CelCompilerBuilder builder = BASE.toCompilerBuilder();
      ImmutableMap<String, StructType> known = ImmutableMap.copyOf(objects);
      ImmutableMap<String, Map<String, CelProgram>> grown = ImmutableMap.copyOf(growing);
      builder.setTypeProvider(new Types(known, grown, null));
      if (authorization) {
        builder.addFunctionDeclarations(Library.authorization().declarations());
      }
      if (mutation) {
        builder.addFunctionDeclarations(Library.patches().declarations());
      }
      variables.forEach((name, variable) -> builder.addVar(name, variable.type()));
      return new CelEnvironment(builder.build(), Map.copyOf(variables), known, grown, mutation);
    }
  }

  /**
   * @param fields of the objects that the expression makes; null if it cannot make any
   */
  @SuppressWarnings("Immutable") // but for what grows, and then only while a policy is read
  private record Types(
      ImmutableMap<String, StructType> objects,
      ImmutableMap<String, Map<String, CelProgram>> growing,
      @Nullable ImmutableSet<String> fields)
      implements CelTypeProvider {

    @Override
    public ImmutableCollection<CelType> types() {
      return ImmutableList.copyOf(objects.values());
    }

    @Override
    public Optional<CelType> findType(String name) {
      Map<String, CelProgram> made = growing.get(name);
      if (made != null) {
        return Optional.of(Builder.struct(name, made));
      }
      StructType known = objects.get(name);
      return Optional.ofNullable(
          known == null && fields != null ? MutationTypes.find(name, fields) : known);
    }
  }
}

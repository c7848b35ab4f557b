import { type Equality, equalValues } from '@agent-criteria/values';
import { type CallDifference, findDifferences } from './differences.ts';
import { type CompiledMatchers, compileMatchers, type MatcherNode, type Matchers } from './matchers.ts';
import { hashString, structuralHash } from './structural-hash.ts';

/** A tool call: its name and arguments. An absent name is the same as `null`; ids are never compared. */
export interface Call {
  readonly name?: string | null | undefined;
  readonly args?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Options for comparing two calls. */
export interface ComparisonOptions {
  /** Whether to compare only names. Default `false`. */
  readonly ignoreArgs?: boolean | undefined;
  /** The values to accept besides equal arguments. Has no effect together with `ignoreArgs`. */
  readonly matchers?: Matchers | undefined;
  /**
   * `'adk'`: compare as ADK for Python does: `true` equals 1, `false` equals 0, and absent arguments differ from `{}`.
   * Default `null`: `true` does not equal 1, and absent arguments equal `{}`.
   */
  readonly compat?: 'adk' | null | undefined;
}

/** Compares calls under one set of options. */
export interface Comparison {
  /** Whether an actual call matches an expected one. */
  same(expected: Call, actual: Call): boolean;
  /** Lists at most `limit` differences between the arguments. The names are assumed to be equal. */
  differences(expected: Call, actual: Call, limit: number): CallDifference[];
  /**
   * Whether calls to this tool are compared exactly. If so, `same` is an equivalence relation, and `hash` respects it.
   */
  isExact(name: string | null): boolean;
  /** Hashes a call, including `depth` levels of its arguments. Default: all levels. */
  hash(call: Call, depth?: number): number;
}

const nothing: Readonly<Record<string, unknown>> = {};
const noNodes: readonly MatcherNode[] = [];

/** Creates a comparison. @throws TypeError if the matchers are invalid */
export function createComparison(options: ComparisonOptions): Comparison {
  const python = options.compat === 'adk';
  const equality: Equality = python ? 'python' : 'json';
  const argsOf = (call: Call) => call.args ?? (python ? null : nothing);

  if (options.ignoreArgs === true) {
    return {
      same: (expected, actual) => nameOf(expected) === nameOf(actual),
      differences: () => [],
      isExact: () => true,
      hash: (call) => hashName(call),
    };
  }

  const matchers = options.matchers === undefined ? null : compiledOf(options.matchers);
  const nodesFor = (call: Call) => matchers?.forTool(nameOf(call)) ?? noNodes;

  function differences(expected: Call, actual: Call, limit: number): CallDifference[] {
    const nodes = nodesFor(expected);
    // With partial matching, absent arguments equal an empty object in both modes.
    const whole = nodes.some((node) => node.partial);
    return findDifferences(
      argsOf(expected) ?? (whole ? nothing : null),
      argsOf(actual) ?? (whole ? nothing : null),
      nodes,
      equality,
      limit,
    );
  }

  return {
    same(expected, actual) {
      if (nameOf(expected) !== nameOf(actual)) return false;
      if (equalValues(argsOf(expected), argsOf(actual), equality)) return true;
      return nodesFor(expected).length > 0 && differences(expected, actual, 1).length === 0;
    },
    differences,
    isExact: (name) => matchers === null || matchers.forTool(name).length === 0,
    hash: (call, depth) => hashName(call) ^ structuralHash(argsOf(call), equality, depth),
  };
}

/** Returns the name of a call, or `null`. */
export function nameOf(call: Call): string | null {
  return call.name ?? null;
}

function hashName(call: Call): number {
  const name = nameOf(call);
  return name === null ? 0 : hashString(name);
}

// A run uses the same set of matchers for every turn.
const compiled = new WeakMap<Matchers, CompiledMatchers>();

function compiledOf(matchers: Matchers): CompiledMatchers {
  let found = compiled.get(matchers);
  if (found === undefined) {
    found = compileMatchers(matchers);
    compiled.set(matchers, found);
  }
  return found;
}

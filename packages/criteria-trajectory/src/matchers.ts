import {
  compilePattern,
  type Equality,
  type each,
  equalValues,
  isNear,
  parseValuePath,
  type ValuePath,
} from '@agent-criteria/values';
import { hasShape, type Shape, shapes } from './shapes.ts';

/**
 * A rule that accepts values other than the expected one at one path of the arguments. Exactly one key is set.
 * Matchers only loosen the comparison: equal values always match.
 */
export interface Matcher {
  /** Accepts anything, even if one side has no value. */
  readonly ignore?: true | undefined;
  /** Allows extra keys in objects at this level and below. Lists must have the same length. */
  readonly partial?: true | undefined;
  /** Accepts any of these values. */
  readonly oneOf?: readonly unknown[] | undefined;
  /** Accepts a string that matches completely. RE2 syntax: https://github.com/google/re2/wiki/Syntax */
  readonly pattern?: string | undefined;
  /** Accepts a number that differs from the expected one by at most this much. 0 or more. */
  readonly tolerance?: number | undefined;
  /** Accepts an ISO 8601 date or date-time, or a UUID. */
  readonly shape?: Shape | undefined;
}

/**
 * Matchers by tool name and argument path. The tool `"*"` means every tool. Paths are written `date`, `filter.from`,
 * `items[0].id`, `items[*].id`, `['odd.key']`, or `$` for all arguments. If several matchers apply to a value, one that
 * accepts it is enough. `undefined` counts as absent.
 */
export type Matchers = Readonly<Record<string, Readonly<Record<string, Matcher | undefined>> | undefined>>;

/** A mistake in `Matchers`: the keys that lead to it, and a message. */
export interface MatcherProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** The matchers for one path in the arguments, and for the paths below it. */
export interface MatcherNode {
  readonly below: Map<string | number | typeof each, MatcherNode>;
  ignore: boolean;
  partial: boolean;
  /** Whether a value is accepted. `expected` is undefined if the expected call has no value at this path. */
  readonly accepts: ((actual: unknown, expected: unknown, equality: Equality) => boolean)[];
}

/** Compiled matchers. */
export interface CompiledMatchers {
  /** Returns the matchers for a tool's arguments, or an empty list if none apply. */
  forTool(name: string | null): readonly MatcherNode[];
}

/** Finds all mistakes in matchers. Returns an empty list if they are valid. */
export function checkMatchers(matchers: Matchers): MatcherProblem[] {
  const problems: MatcherProblem[] = [];
  compile(matchers, problems);
  return problems;
}

/**
 * Compiles matchers.
 *
 * @throws TypeError for invalid matchers, naming the first mistake
 */
export function compileMatchers(matchers: Matchers): CompiledMatchers {
  const problems: MatcherProblem[] = [];
  const compiled = compile(matchers, problems);
  const first = problems[0];
  if (first !== undefined) throw new TypeError(`matchers.${first.path.join('.')}: ${first.message}`);
  return compiled;
}

function compile(matchers: Matchers, problems: MatcherProblem[]): CompiledMatchers {
  const byTool = new Map<string, MatcherNode>();
  for (const [tool, byPath] of Object.entries(matchers)) {
    if (byPath === undefined) continue;
    const root = newNode();
    byTool.set(tool, root);
    for (const [text, matcher] of Object.entries(byPath)) {
      if (matcher === undefined) continue;
      const parsed = parseValuePath(text);
      if ('problem' in parsed) {
        problems.push({ path: [tool, text], message: `is not a path into the arguments: ${parsed.problem}` });
        continue;
      }
      const problem = addMatcher(nodeAt(root, parsed.path), matcher);
      if (problem !== null) problems.push({ path: [tool, text, ...problem.path], message: problem.message });
    }
  }
  const every = byTool.get('*');
  const ofEvery = every === undefined ? [] : [every];
  const nodes = new Map<string, readonly MatcherNode[]>();
  for (const [tool, node] of byTool) if (tool !== '*') nodes.set(tool, [node, ...ofEvery]);
  return { forTool: (name) => (name === null ? undefined : nodes.get(name)) ?? ofEvery };
}

function newNode(): MatcherNode {
  return { below: new Map(), ignore: false, partial: false, accepts: [] };
}

function nodeAt(root: MatcherNode, path: ValuePath): MatcherNode {
  let node = root;
  for (const step of path) {
    let next = node.below.get(step);
    if (next === undefined) {
      next = newNode();
      node.below.set(step, next);
    }
    node = next;
  }
  return node;
}

const kinds = ['ignore', 'partial', 'oneOf', 'pattern', 'tolerance', 'shape'] as const;

function addMatcher(node: MatcherNode, matcher: Matcher): MatcherProblem | null {
  const set = kinds.filter((kind) => matcher[kind] !== undefined);
  if (set.length !== 1) {
    const found = set.length === 0 ? 'none is' : `${set.join(' and ')} are`;
    return { path: [], message: `exactly one of ${kinds.join(', ')} is needed; ${found} given` };
  }
  const { oneOf, pattern, tolerance, shape } = matcher;
  if (matcher.ignore) node.ignore = true;
  if (matcher.partial) node.partial = true;
  if (oneOf !== undefined) {
    if (oneOf.length === 0) return { path: ['oneOf'], message: 'must list at least one value' };
    node.accepts.push((actual, _, equality) => oneOf.some((value) => equalValues(value, actual, equality)));
  }
  if (pattern !== undefined) {
    try {
      const { isWhole } = compilePattern(pattern);
      node.accepts.push((actual) => typeof actual === 'string' && isWhole(actual));
    } catch (error) {
      return { path: ['pattern'], message: error instanceof Error ? error.message : String(error) };
    }
  }
  if (tolerance !== undefined) {
    if (!Number.isFinite(tolerance) || tolerance < 0) {
      return { path: ['tolerance'], message: 'must be a number of 0 or more' };
    }
    node.accepts.push(
      (actual, expected) =>
        typeof actual === 'number' && typeof expected === 'number' && isNear(actual, expected, tolerance),
    );
  }
  if (shape !== undefined) {
    if (!shapes.includes(shape)) return { path: ['shape'], message: `must be one of ${shapes.join(', ')}` };
    node.accepts.push((actual) => hasShape(actual, shape));
  }
  return null;
}

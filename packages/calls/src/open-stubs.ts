import type { UnitKey } from '@agent-criteria/core';
import {
  CriteriaError,
  type InjectionConfig,
  isObject,
  type State,
  type ToolSimulationConfig,
} from '@agent-criteria/formats';

/** How one call is stubbed. */
interface StubbedCall {
  /** Delay before the response, in milliseconds. */
  readonly latency: number;
  /** The response, or `null` if the real tool is to be called. */
  readonly response: State | null;
}

/** The stubs of one session. */
export interface ToolStubs {
  /**
   * Returns the stub for a call, or `null` for a tool without stubs. Must be called exactly once per call, in order,
   * because each call draws new random numbers.
   *
   * @throws CriteriaError STUB_UNMATCHED for a call to a stubbed tool whose arguments match no stub.
   */
  call(tool: string, args: Readonly<Record<string, unknown>>): StubbedCall | null;
}

/**
 * Opens the stubs of a session. Random numbers are the same for the same case and repeat, whatever else runs, and
 * independent for each stub without a `randomSeed`. A call reaches the tool if it matches stubs, but the draws select
 * none of them.
 *
 * @param key Seeds the random numbers of stubs without a `randomSeed`.
 */
export function openStubs(configs: readonly ToolSimulationConfig[], key: UnitKey): ToolStubs {
  const byTool = new Map(
    configs.map(({ toolName, injectionConfigs }) => {
      const stubs = injectionConfigs.map((config, index) => withChance(config, [toolName, index]));
      return [toolName, stubs] as const;
    }),
  );
  function withChance(config: InjectionConfig, place: readonly [tool: string, index: number]) {
    const { randomSeed } = config;
    const seed = randomSeed ?? [key.setId, key.caseId, key.repeat, ...place].join('\n');
    return { config, draw: chance(String(seed)) };
  }
  return {
    call(tool, args) {
      const stubs = byTool.get(tool);
      if (stubs === undefined) return null;
      const foreseen = stubs.filter(({ config }) => matches(config.matchArgs ?? {}, args));
      if (foreseen.length === 0) throw unmatched(tool, args);
      // Every matching stub draws, so that its numbers do not depend on other stubs.
      const applies = foreseen.filter(({ config, draw }) => draw() < (config.injectionProbability ?? 1));
      const config = applies[0]?.config;
      if (config === undefined) return { latency: 0, response: null };
      const latency = (config.injectedLatencySeconds ?? 0) * 1000;
      return { latency, response: responseOf(config) };
    },
  };
}

function responseOf({ injectedError, injectedResponse }: InjectionConfig): State | null {
  if (!injectedError) return injectedResponse ?? null;
  return { error_code: injectedError.injectedHttpErrorCode, error_message: injectedError.errorMessage };
}

function matches(wanted: State, args: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(([name, value]) => Object.hasOwn(args, name) && equal(value, args[name]));
}

/** Whether two values are equal as JSON, ignoring key order. */
function equal(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

function unmatched(tool: string, args: Readonly<Record<string, unknown>>): CriteriaError {
  const shown = JSON.stringify(args).slice(0, 500);
  const message =
    `the agent called the stubbed tool "${tool}" with arguments that match no stub: ${shown}. ` +
    'Add an injection config with these match_args, or one without match_args for all other calls';
  return new CriteriaError({ code: 'STUB_UNMATCHED', message });
}

/** Creates a generator of numbers in [0, 1): mulberry32, seeded with an FNV-1a hash of the seed. */
function chance(seed: string): () => number {
  let state = 0x811c9dc5;
  for (let at = 0; at < seed.length; at++) state = Math.imul(state ^ seed.charCodeAt(at), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

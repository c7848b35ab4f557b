import type { UnitKey } from '@agent-criteria/core';
import {
  CriteriaError,
  type InjectionConfig,
  isObject,
  type State,
  type ToolSimulationConfig,
} from '@agent-criteria/formats';

/** What happens to a call of a stubbed tool. */
export interface StubbedCall {
  /** Milliseconds to wait first. */
  readonly latency: number;
  /** What the tool answers; `null`: the tool itself answers. */
  readonly response: State | null;
}

/** The stubs of one session. */
export interface ToolStubs {
  /**
   * What happens to a call; `null` for a tool without stubs. Ask once for each call, in the order of the calls: chance is
   * drawn anew each time.
   *
   * @throws CriteriaError STUB_UNMATCHED for a call of a stubbed tool whose arguments match no stub.
   */
  call(tool: string, args: Readonly<Record<string, unknown>>): StubbedCall | null;
}

/**
 * Opens stubs for a session: what is drawn by chance is the same for the same case and repeat, whatever runs beside it,
 * and another for each stub. A call that a stub has foreseen, but that chance spares, reaches the tool itself.
 *
 * @param key Seeds the chance of stubs without a `randomSeed`.
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
      // Every draw is made, so that what one stub draws does not hang on another.
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

/** As JSON: the order of keys does not matter. */
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

/** Numbers from 0 up to 1, the same for the same seed: the generator is mulberry32, seeded by an FNV-1a hash. */
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

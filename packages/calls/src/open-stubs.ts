import { setTimeout as wait } from 'node:timers/promises';
import type { UnitKey } from '@agent-criteria/core';
import type { ToolEnvironment } from '@agent-criteria/core/host';
import {
  CriteriaError,
  type InjectionConfig,
  isObject,
  mockStrategyOf,
  type State,
  type ToolSimulationConfig,
} from '@agent-criteria/formats';

/** How one call is answered. */
interface StubAnswer {
  /** The response, or `null` if the real tool is to be called. */
  readonly response: State | null;
  /** The source of the response: `injection`, or the name of a tool simulator. Belongs to the call's span, as `simulated`. */
  readonly by: string;
}

/** The stubs of one session. */
export interface ToolStubs {
  /** Whether a tool has a stub. */
  has(tool: string): boolean;
  /**
   * Answers a call, or returns `null` if the real tool is to be called at once. Must be called exactly once per call, in
   * order. If it rejects for another reason than the signal, the turn must fail with its error, and the tool must not be called.
   *
   * @throws CriteriaError (as a rejection) STUB_UNMATCHED for a call that no stub answers, or the error of a tool simulator.
   */
  call(tool: string, args: State, signal: AbortSignal): Promise<StubAnswer> | null;
}

/**
 * Opens the stubs of a session. Injections decide first, then the tool's simulator. Chance has one stream of random numbers for
 * each case, repeat, tool, injection and call, so that it is the same in every run, whatever else happens. A call reaches the tool
 * if it matches injections, but the draws select none of them, and no simulator is named.
 *
 * @param key Seeds the random numbers of stubs without a `randomSeed`.
 * @param environment Answers for tools whose stubs name a simulator. Default: such calls are errors.
 */
export function openStubs(
  configs: readonly ToolSimulationConfig[],
  key: UnitKey,
  environment?: ToolEnvironment,
): ToolStubs {
  const byTool = new Map(configs.map((config) => [config.toolName, { config, calls: 0 }]));
  const unlisted = environment?.unlistedTools ?? 'real';

  async function answer(tool: string, args: State, signal: AbortSignal): Promise<StubAnswer> {
    const stub = byTool.get(tool);
    if (stub === undefined) throw notListed(tool, args);
    const { injectionConfigs = [] } = stub.config;
    const strategy = mockStrategyOf(stub.config);
    const call = stub.calls++;
    const foreseen = [...injectionConfigs.entries()].filter(([, { matchArgs }]) => matches(matchArgs ?? {}, args));
    if (foreseen.length === 0 && strategy === null) throw unmatched(tool, args);
    const [, injection] = foreseen.find(([place, config]) => applies(config, key, [tool, place, call])) ?? [];
    const latency = injection?.injectedLatencySeconds ?? 0;
    if (latency > 0) await wait(latency * 1000, undefined, { signal });
    const response = injection === undefined ? null : responseOf(injection);
    if (response !== null) return { response: structuredClone(response), by: 'injection' };
    if (strategy === null) return { response: null, by: 'injection' };
    if (environment === undefined) throw notSimulated(tool, strategy);
    signal.throwIfAborted();
    return { response: await environment.answer({ tool, args }), by: strategy };
  }
  return {
    has: (tool) => byTool.has(tool),
    call: (tool, args, signal) => (byTool.has(tool) || unlisted === 'error' ? answer(tool, args, signal) : null),
  };
}

function applies(
  { injectionProbability = 1, randomSeed }: InjectionConfig,
  { setId, caseId, repeat }: UnitKey,
  place: readonly [tool: string, injection: number, call: number],
): boolean {
  const seed = randomSeed === undefined || randomSeed === null ? [setId, caseId, repeat] : [randomSeed];
  return chance([...seed, ...place].join('\n')) < injectionProbability;
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

function notListed(tool: string, args: State): CriteriaError {
  const shown = JSON.stringify(args).slice(0, 500);
  const message =
    `the agent called the tool "${tool}", which no stub lists, and unlisted_tools is "error". Its arguments: ${shown}. ` +
    'Add the tool to tool_simulation_configs, or set unlisted_tools to "real"';
  return new CriteriaError({ code: 'STUB_UNMATCHED', message });
}

function notSimulated(tool: string, strategy: string): CriteriaError {
  const message =
    `the tool "${tool}" is to be simulated by "${strategy}", but the agent opened its stubs without an environment: ` +
    'pass the environment of its session to openStubs';
  return new CriteriaError({ code: 'NOT_SUPPORTED', message });
}

/** Draws a number in [0, 1): the first one of mulberry32, seeded with an FNV-1a hash of the seed. */
function chance(seed: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < seed.length; at++) state = Math.imul(state ^ seed.charCodeAt(at), 0x01000193);
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

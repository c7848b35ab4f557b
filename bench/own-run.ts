/**
 * Performs one run in a separate process: `own-run.ts evaluate|run|read|floor CASES FOLDER`. `read` reads the existing
 * run; `floor` is the minimum that persists results: call the agent, compare, write one line of JSON for each of the
 * two. Prints the costs as JSON.
 */
import { mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { resolveEvalConfig } from '../packages/core/dist/host.js';
import { contentText } from '../packages/core/dist/index.js';
import { evaluate, openRun, run } from '../packages/runner/dist/index.js';
import { agent, check, config, makeSet, registry } from './trivial.ts';

/** The costs of one call. */
export interface Taken {
  /** Milliseconds of processor time, on all processors. */
  readonly cpu: number;
  readonly wall: number;
  /** The peak memory of the whole process in megabytes, before and after. */
  readonly peakBefore: number;
  readonly peak: number;
  /** The memory still held in megabytes, before and after, or `null` without --expose-gc. */
  readonly heldBefore: number | null;
  readonly held: number | null;
}

const [how = '', count = '', folder = ''] = process.argv.slice(2);
const cases = Number(count);

/** Prepares everything before the call, and keeps its result until all is measured. */
async function prepare(): Promise<() => Promise<unknown>> {
  if (how === 'read') {
    return async () => {
      let passed = 0;
      const opened = openRun(folder);
      for await (const { result } of opened.cases()) if (result.verdict === 'passed') passed += 1;
      if (passed !== cases) throw new Error(`${passed} of ${cases} cases can be read`);
      return opened;
    };
  }
  const evalSet = makeSet(cases);
  if (how === 'floor') {
    return async () => {
      mkdirSync(folder);
      const file = openSync(join(folder, 'lines.jsonl'), 'w');
      let passed = 0;
      for (const { evalId, conversation } of evalSet.evalCases) {
        const turn = conversation?.[0];
        const text = await agent(contentText(turn?.userContent));
        writeSync(file, `${JSON.stringify({ evalId, turns: [{ ...turn, finalResponse: { parts: [{ text }] } }] })}\n`);
        const right = text === contentText(turn?.finalResponse);
        writeSync(
          file,
          `${JSON.stringify({ evalId, verdict: right ? 'passed' : 'failed', turns: [{ value: right }] })}\n`,
        );
        if (right) passed += 1;
      }
      check(passed, evalSet);
      return file;
    };
  }
  if (how === 'evaluate') {
    return async () => {
      const evaluation = await evaluate({ evalSet, config, registry, agent, folder });
      check(evaluation.verdicts.passed, evalSet);
      return evaluation;
    };
  }
  const plan = resolveEvalConfig({ evalSet, config, registry });
  return async () => {
    const outcome = await run({ sets: [{ plan, file: null, configFile: null }], agent, folder });
    check(outcome.summary.verdicts.passed, evalSet);
    return [outcome, plan];
  };
}

const held = (): number | null => {
  if (globalThis.gc === undefined) return null;
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1e6;
};
const peak = (): number => process.resourceUsage().maxRSS / 1e3;

const work = await prepare();
const heldBefore = held();
const peakBefore = peak();
const cpuBefore = process.cpuUsage();
const start = performance.now();
const kept = await work();
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(cpuBefore);
const taken: Taken = { cpu: (user + system) / 1e3, wall, peakBefore, peak: peak(), heldBefore, held: held() };
console.log(JSON.stringify(taken));
// Keeps the result from being collected before it is measured.
if (kept === undefined) throw new Error('the call gave nothing');

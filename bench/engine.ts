/**
 * Measures the cost of running a case apart from the agent and the criterion: an agent that does nothing, and one exact
 * comparison.
 */
import { resolveEvalConfig } from '../packages/core/dist/host.js';
import { contentText, type EvalSet } from '../packages/core/dist/index.js';
import { readEvalData } from '../packages/formats/dist/migration.js';
import { evaluate, generate, score } from '../packages/runner/dist/index.js';
import { ratios, rounds, spread } from './measure.ts';
import { sizes, smallest } from './smallest.ts';
import { printTable } from './table.ts';
import { agent, check, config, makeSet, registry } from './trivial.ts';

/** The minimum for any runner: calls the agent and compares, four at a time. */
async function floor(set: EvalSet): Promise<number> {
  const cases = set.evalCases.values();
  let passed = 0;
  const worker = async (): Promise<void> => {
    for (const { conversation } of cases) {
      const turn = conversation?.[0];
      const answer = await agent(contentText(turn?.userContent));
      if (answer === contentText(turn?.finalResponse)) passed += 1;
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return passed;
}

const rows: string[][] = [];
const inRun: Record<number, number[]> = {};
for (const cases of sizes([1000, 10_000], 10)) {
  const set = makeSet(cases);
  const plan = resolveEvalConfig({ evalSet: set, config, registry });
  const inferences = await generate({ plan, agent });
  const times = await rounds(
    {
      floor: async () => check(await floor(set), set),
      evaluate: async () => check((await evaluate({ evalSet: set, config, registry, agent })).verdicts.passed, set),
      '  read the set': () => readEvalData(set),
      '  resolve the config': () => resolveEvalConfig({ evalSet: set, config, registry }),
      '  generate': () => generate({ plan, agent }),
      '  score': () => score({ plan, inferences }),
    },
    { atLeast: 0, counted: 11 },
  );
  for (const [name, list] of Object.entries(times)) {
    const each = list.map((time) => (1000 * time) / cases);
    rows.push([name, cases.toLocaleString('en-US'), spread(each, ''), spread(ratios(list, times.floor))]);
  }
  inRun[cases] = times.evaluate;
}
if (!smallest) {
  const marginal = inRun[10_000]!.map((time, round) => (1000 * (time - inRun[1000]![round]!)) / 9000);
  rows.push(['evaluate, each case more', '', spread(marginal, ''), '']);
}
printTable('Engine: us a case', ['', 'cases', 'us a case', 'times the floor'], rows);

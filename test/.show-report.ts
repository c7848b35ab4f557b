import * as r from '@agent-criteria/report';
import { textOf } from '/work/main/packages/report/src/__fixtures__/runs.ts';
import { runOfAll, unfinishedRun } from '/work/main/packages/report/src/__fixtures__/shapes.ts';

const which = process.argv[2]!;
const run = runOfAll();
const rep = (r.reporters as any)[which];
console.log(
  await textOf(
    rep.write(run, {
      setId: process.argv[3],
      command: (s: string, c: string) => `agent-criteria eval agent.ts ${s}:${c}`,
    }),
  ),
);

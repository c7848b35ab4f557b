import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentFunction } from '@agent-criteria/core';
import { expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { casesNamed, echo, planned } from '../__fixtures__/echo-runs.ts';
import { run } from '../run.ts';
import { layout } from './layout.ts';
import { openRun } from './open-run.ts';

it('a run without a summary ended with its last inference, even if that repeated an earlier unit', async () => {
  const folder = join(folderOf({}), 'run');
  const sets = [planned(casesNamed(['one', 'two']))];
  const flaky: AgentFunction = (message, { key }) => {
    if (key.caseId === 'one') throw new Error('down');
    return message;
  };
  await run({ sets, agent: flaky, folder, concurrency: { agents: 1 } });
  await run({ sets, agent: echo, folder });
  rmSync(layout.summary(folder, 1));
  const file = layout.inferences(folder);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).caseId)).toEqual(['one', 'two', 'one']);
  const timed = lines.map((line, index) => line.replace(/"endedAt":\d+/, `"endedAt":${index + 1}`));
  writeFileSync(file, `${timed.join('\n')}\n`);
  expect(openRun(folder).info.endedAt).toBe(3);
});

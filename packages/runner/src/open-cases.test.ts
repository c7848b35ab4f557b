import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Problem } from '@agent-criteria/core';
import { expect, it } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { deferred, sessionAgent } from './__fixtures__/agents.ts';
import { casesNamed, planned } from './__fixtures__/echo-runs.ts';
import { openCases } from './open-cases.ts';

const sets = [planned(casesNamed(['one', 'two']))];
const down: Problem = { code: 'AGENT_FAILED', message: 'nobody is at home' };

/** Creates an agent that counts its checks and sessions. */
function checked(check: () => Promise<readonly Problem[]>) {
  const counts = { checks: 0, sessions: 0 };
  const agent: Agent = {
    ...sessionAgent(() => {
      counts.sessions += 1;
      return {};
    }),
    check() {
      counts.checks += 1;
      return check();
    },
  };
  return { agent, counts };
}

it('openCases() checks the agent once, before its first case', async () => {
  const { agent, counts } = checked(async () => []);
  const opened = await openCases({ sets, agent });
  expect(counts).toEqual({ checks: 0, sessions: 0 });
  const both = await Promise.all(['one', 'two'].map((id) => opened.evaluateCase('set', id)));
  expect(both.map(({ result }) => result.verdict)).toEqual(['passed', 'passed']);
  expect((await opened.evaluateCase('set', 'one')).result.verdict).toBe('passed');
  expect(counts).toEqual({ checks: 1, sessions: 3 });
  await opened.close();
});

it('openCases() opens no session and no run folder if the agent reports problems', async () => {
  const { agent, counts } = checked(async () => [down]);
  const opened = await openCases({ sets, agent });
  const folder = join(folderOf({}), 'run');
  await expect(opened.persistTo(folder, [{ setId: 'set', caseId: 'one' }])).rejects.toMatchObject({ problems: [down] });
  expect(existsSync(folder)).toBe(false);
  for (const id of ['one', 'two'])
    await expect(opened.evaluateCase('set', id)).rejects.toMatchObject({ problems: [down] });
  expect(counts).toEqual({ checks: 1, sessions: 0 });
  await opened.close();
});

it('openCases() checks only the variants that run cases, and names the one that reports problems', async () => {
  const [bad, good] = [checked(async () => [down]), checked(async () => [])];
  const opened = await openCases({ sets, variants: { bad: bad.agent, good: good.agent } });
  expect((await opened.evaluateCase('set', 'one', { variant: 'good' })).result.verdict).toBe('passed');
  expect(bad.counts.checks).toBe(0);
  const folder = join(folderOf({}), 'run');
  const cases = ['good', 'bad'].map((variant) => ({ setId: 'set', caseId: 'one', variant }));
  await expect(opened.persistTo(folder, cases)).rejects.toThrow('variant "bad": nobody is at home');
  await expect(opened.evaluateCase('set', 'one', { variant: 'bad' })).rejects.toThrow(
    'variant "bad": nobody is at home',
  );
  expect([good.counts, bad.counts]).toEqual([
    { checks: 1, sessions: 1 },
    { checks: 1, sessions: 0 },
  ]);
  await opened.close();
});

it('openCases() does not make an aborted case wait for the check, which other cases still use', async () => {
  const checking = deferred<readonly Problem[]>();
  const { agent, counts } = checked(() => checking.promise);
  const opened = await openCases({ sets, agent });
  const aborter = new AbortController();
  const aborted = opened.evaluateCase('set', 'one', { signal: aborter.signal });
  const other = opened.evaluateCase('set', 'two');
  aborter.abort();
  expect((await aborted).result.verdict).not.toBe('passed');
  checking.resolve([]);
  expect((await other).result.verdict).toBe('passed');
  expect(counts).toEqual({ checks: 1, sessions: 1 });
  await opened.close();
});

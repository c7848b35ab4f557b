import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { adkAgent, adkAgents } from '@agent-criteria/agent-adk';
import { contentText } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { evaluateAgent } from '@agent-criteria/project';
import { loadAgent } from '@agent-criteria/project/plan';
import { LlmAgent } from '@google/adk';
import { describe, expect, it } from 'vitest';
import { ScriptedModel } from './fixtures/scripted-model.ts';
import { converse } from './fixtures/sessions.ts';

const at = (path: string) => fileURLToPath(new URL(`fixtures/agents/${path}`, import.meta.url));

async function answersOf(path: string, agentName?: string): Promise<{ name: string; answers: string[] }> {
  const agent = await loadAgent(at(path), createRegistry([adkAgents]), { agentName });
  const [first] = await converse(agent, ['Hi']);
  const [second] = await converse(agent, ['Hi']);
  expect([first?.error, second?.error]).toEqual([undefined, undefined]);
  return { name: agent.name, answers: [first, second].map((turn) => contentText(turn?.invocation.finalResponse)) };
}

describe('an ADK agent is loaded from', () => {
  it.each([
    ['a TypeScript file', 'weather/agent.ts', 'weather', ['It is sunny.', 'It is sunny.']],
    ['a folder', 'weather', 'weather', ['It is sunny.', 'It is sunny.']],
    ['a folder with an App', 'shop', 'shop', ['Welcome.', 'Welcome.']],
    ['a file beside an App', 'shop/agent.ts', 'clerk', ['Welcome.', 'Welcome.']],
    ['a function', 'made', 'adk', ['I am number 1.', 'I am number 2.']],
    ['a CommonJS file', 'common', 'common', ['Common.', 'Common.']],
  ])('%s', async (_, path, name, answers) => {
    expect(await answersOf(path)).toEqual({ name, answers });
  });

  it('a name, which may be that of a sub-agent or an export', async () => {
    expect((await answersOf('weather', 'forecaster')).answers[0]).toBe('Tomorrow too.');
    expect((await answersOf('weather', 'helper')).name).toBe('helper');
  });

  it('a value passed to evaluateAgent()', async () => {
    const evalDatasetFilePathOrDir = at('weather/weather.evalset.json');
    for (const words of ['It is sunny.', 'It rains.']) {
      const agentModule = new LlmAgent({ name: 'weather', model: new ScriptedModel([words]) });
      const evaluated = evaluateAgent({ agentModule, evalDatasetFilePathOrDir, numRuns: 1 });
      if (words === 'It is sunny.') expect((await evaluated).summary.exitCode).toBe(0);
      else await expect(evaluated).rejects.toMatchObject({ code: 'EVALUATION_FAILED' });
    }
  });
});

it('adkAgent() rejects a value that is not an ADK agent', async () => {
  const notAgent = { code: 'AGENT_NOT_FOUND', message: expect.stringContaining('is not an agent of @google/adk') };
  expect(() => adkAgent({ name: 'x' })).toThrow(expect.objectContaining(notAgent));
  await expect(
    converse(
      adkAgent(() => ({ name: 'x' })),
      ['Hi'],
    ),
  ).rejects.toMatchObject(notAgent);
});

describe('agent-criteria eval with an ADK agent', () => {
  const bin = fileURLToPath(new URL('../../packages/cli/src/bin.ts', import.meta.url));
  const flags = ['--conditions=@agent-criteria/source', '--disable-warning=ExperimentalWarning', bin];
  const evalWeather = ['eval', at('weather'), at('weather/weather.evalset.json'), '--json', '--no_run_folder'];

  it.each([
    ['only its result to standard output', {}, /^$/],
    [
      'the log of ADK to standard error if AGENT_CRITERIA_ADK_LOG is set',
      { AGENT_CRITERIA_ADK_LOG: 'info' },
      /INFO: \[ADK\]/,
    ],
  ])('writes %s', async (_, more, told) => {
    const env = { ...process.env, ...more };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, ...evalWeather], { env });
    expect(JSON.parse(stdout)).toBeTypeOf('object');
    expect(
      stderr
        .split('\n')
        .filter((line) => line.includes('ADK'))
        .join('\n'),
    ).toMatch(told);
  });
});

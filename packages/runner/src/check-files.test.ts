import type { AgentFunction, Content, Part } from '@agent-criteria/core';
import { evalCase, evalSet, message } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { sessionAgent } from './__fixtures__/agents.ts';
import { planned } from './__fixtures__/echo-runs.ts';
import { openCases } from './open-cases.ts';
import { run } from './run.ts';

const picture: Part = { inlineData: { mimeType: 'image/png', data: 'AA==', displayName: 'cat.png' } };

function setWith(...parts: readonly Part[]) {
  const plain = evalCase('plain', [{ user: 'Hi' }]);
  const shows = evalCase('shows', [{ user: 'Hi' }, { user: 'Look' }]);
  const [first, second] = shows.conversation ?? [];
  const userContent: Content = { role: 'user', parts: [{ text: 'Look' }, ...parts] };
  return planned(evalSet([plain, { ...shows, conversation: [first!, { ...second!, userContent }] }], 'set'));
}

/** Answers with the names of the files that it was given. */
function seeing(declared: object): AgentFunction {
  const agent: AgentFunction = (_text, { content }) =>
    (content.parts ?? []).map(({ inlineData, text }) => inlineData?.displayName ?? text).join(' ');
  return Object.assign(agent, declared);
}

describe('a case with a file', () => {
  const refused = {
    code: 'INVALID_CONFIG',
    message: expect.stringMatching(
      /turn 2 of the case "shows" of "set" has the file "cat\.png", but the agent ".*" takes only text.*supportsFiles: true/,
    ),
  };

  it.each([
    ['a function that does not declare that it takes files', seeing({})],
    ['a function that declares that it does not', seeing({ supportsFiles: false })],
    ['an agent that does not declare that it takes files', sessionAgent()],
  ])('is rejected for %s, before anything runs', async (_name, agent) => {
    const sets = [setWith(picture)];
    await expect(run({ sets, agent })).rejects.toMatchObject({ problems: [refused] });
    await expect(openCases({ sets, agent })).rejects.toMatchObject({ problems: [refused] });
  });

  it('is rejected with the name of the variant that takes no files', async () => {
    const variants = { seeing: seeing({ supportsFiles: true }), blind: seeing({}) };
    await expect(run({ sets: [setWith(picture)], variants })).rejects.toThrow('variant "blind": turn 2 of the case');
  });

  it('is rejected by the address of a file that is only referred to', async () => {
    const sets = [setWith({ fileData: { fileUri: 'gs://bucket/a.pdf', mimeType: 'application/pdf' } })];
    await expect(run({ sets, agent: seeing({}) })).rejects.toThrow('the file "gs://bucket/a.pdf"');
  });

  it('reaches an agent that takes files, with its bytes', async () => {
    const opened = await openCases({ sets: [setWith(picture)], agent: seeing({ supportsFiles: true }) });
    const { record } = await opened.evaluateCase('set', 'shows');
    for await (const { inferences } of record.cases()) {
      const [, turn] = inferences[0]!.inference.invocations;
      expect(turn?.finalResponse).toEqual(message('model', 'Look cat.png'));
      expect(turn?.userContent.parts?.at(-1)).toEqual(picture);
    }
    await opened.close();
  });

  it('does not keep others from running', async () => {
    const sets = [setWith()];
    await expect(run({ sets, agent: seeing({}) })).resolves.toMatchObject({ summary: { total: 2 } });
  });
});

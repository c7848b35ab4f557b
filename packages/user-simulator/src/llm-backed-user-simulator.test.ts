import { CriteriaError, type Invocation, type LanguageModel } from '@agent-criteria/core';
import { invocation, testTools } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { afterOpening, answer, openUser, optionsOf, scenario, textOf } from './__fixtures__/conversations.ts';
import { llmBackedUserSimulator } from './llm-backed-user-simulator.ts';
import { findPersona } from './personas.ts';

const turns = (count: number): Invocation[] =>
  Array.from({ length: count }, (_, index) => invocation({ user: `m${index}`, answer: `a${index}` }));

describe('llm_backed', () => {
  it('opens with the exact starting prompt, without a call', async () => {
    const startingPrompt = '  My badge fails.\n\n';
    const { user, model } = openUser([], {}, { startingPrompt });
    expect(await user.next([])).toEqual({ message: { role: 'user', parts: [{ text: startingPrompt }] } });
    expect(model.requests).toEqual([]);
  });

  it("sends the model's messages, with one call per turn", async () => {
    const { user, model, asked } = openUser([answer('4711.'), answer('Thank you.', true, 'the door is open')]);
    await user.next([]);
    const first = invocation({ user: scenario.startingPrompt, answer: 'What is its number?' });
    expect(await user.next([first])).toEqual({ message: { role: 'user', parts: [{ text: '4711.' }] } });
    const second = invocation({ user: '4711.', answer: 'It is open.' });
    expect(await user.next([first, second])).toEqual({
      message: { role: 'user', parts: [{ text: 'Thank you.' }] },
      ending: { by: 'user', reason: 'the door is open' },
    });
    expect(model.requests).toHaveLength(2);
    expect(asked(1)).toContain(
      'user: My badge fails at door 3.\n\nagent: What is its number?\n\nuser: 4711.\n\nagent: It is open.\n[end',
    );
  });

  it('shows the model its own messages instead of those that the agent recorded', async () => {
    const { user, asked } = openUser([answer('4711.'), answer('Thanks.')]);
    await user.next([]);
    const first = invocation({ user: 'I take it all back, please end.', answer: 'Which badge?' });
    await user.next([first]);
    await user.next([first, invocation({ user: 'Never mind the badge.', answer: 'It is open.' })]);
    expect(asked(1)).toContain(
      'user: My badge fails at door 3.\n\nagent: Which badge?\n\nuser: 4711.\n\nagent: It is open.\n[end',
    );
  });

  it('ends without a last message if the model does not give one', async () => {
    const { next } = await afterOpening([answer('', true, 'all is done')]);
    expect(await next()).toEqual({ ending: { by: 'user', reason: 'all is done' } });
  });

  it('accepts plain text from the model', async () => {
    const { next } = await afterOpening(['4711.']);
    expect(textOf(await next())).toBe('4711.');
    const ended = await afterOpening(['Thank you, bye! < /Finished>']);
    expect(await ended.next()).toEqual({
      message: { role: 'user', parts: [{ text: 'Thank you, bye!' }] },
      ending: { by: 'user' },
    });
  });

  it('uses the configured stop signal', async () => {
    const { next, model } = await afterOpening(['Bye. OVER AND OUT'], 'I see.', { stopSignal: 'over and out' });
    expect(await next()).toMatchObject({ ending: { by: 'user' } });
    expect(model.requests[0]?.system).toContain('over and out');
    expect(model.requests[0]?.system).not.toContain('</finished>');
    const other = await afterOpening(['Bye. </finished>'], 'I see.', { stopSignal: 'over and out' });
    expect(await other.next()).toEqual({ message: { role: 'user', parts: [{ text: 'Bye. </finished>' }] } });
  });
});

describe('the turn limit of llm_backed', () => {
  it('counts the starting prompt, and is mentioned in the ending', async () => {
    const { user, model } = openUser([], { maxAllowedInvocations: 3 });
    const { message, ending } = await user.next(turns(3));
    expect(message).toBeUndefined();
    expect(ending).toEqual({ by: 'turn-limit', reason: expect.stringContaining('all 3 messages that max_allowed') });
    expect(model.requests).toEqual([]);
  });

  it('still delivers the last allowed message', async () => {
    const { user } = openUser([answer('4711.')], { maxAllowedInvocations: 3 });
    expect(textOf(await user.next(turns(2)))).toBe('4711.');
  });

  it('is 20 by default, and disabled if negative', async () => {
    expect(await openUser([]).user.next(turns(20))).toMatchObject({ ending: { by: 'turn-limit' } });
    const { user } = openUser([answer('still here')], { maxAllowedInvocations: -1 });
    expect(textOf(await user.next(turns(500)))).toBe('still here');
  });
});

describe('an unusable answer', () => {
  const bad = [
    ['empty', ''],
    ['only white space', ' \n'],
    ['an empty message', answer('')],
    ['blocked', { text: answer('x'), finish: 'blocked' }],
    ['cut off', { text: '{"reason": "x", "do', finish: 'length' }],
    ['unreadable', '{"reason": "x", "do'],
  ] as const;

  it.each(bad)('is requested once more: %s', async (_what, reply) => {
    const { next, model } = await afterOpening([reply, answer('4711.')]);
    expect(textOf(await next())).toBe('4711.');
    const [first, second] = model.requests;
    expect(model.requests).toHaveLength(2);
    expect(second).toMatchObject({ system: first?.system, schema: first?.schema, settings: first?.settings });
    expect(second?.messages[0]).toEqual(first?.messages[0]);
    expect(second?.messages.at(-1)?.parts?.[0]?.text).toMatch(/^Your last answer could not be used: /);
    // Different samples, so that caches and recordings can tell the requests apart.
    expect([first?.sample, second?.sample]).toEqual([0, 1]);
  });

  it.each(bad)('ends the conversation with an error if it comes twice: %s', async (_what, reply) => {
    const { next, model } = await afterOpening([answer(''), reply]);
    const error = await next().catch((caught: unknown) => caught);
    expect(CriteriaError.is(error) && error.code).toBe('CALL_FAILED');
    expect(String(error)).toMatch(/the simulated user gave no message, twice: (?:the|a) /);
    expect(model.requests).toHaveLength(2);
  });

  it('is not the same as a failed call, which is not repeated', async () => {
    const { next, model } = await afterOpening([new Error('no quota'), answer('4711.')]);
    await expect(next()).rejects.toThrow('no quota');
    expect(model.requests).toHaveLength(1);
  });

  it('is not requested again after an abort, even if the model ignores the signal', async () => {
    const controller = new AbortController();
    let calls = 0;
    const deaf: LanguageModel = {
      id: 'deaf',
      async generate() {
        calls += 1;
        controller.abort(new Error('enough'));
        return { text: '', finish: 'stop', usage: {}, from: 'live' };
      },
    };
    const tools = testTools({ models: { deaf }, signal: controller.signal });
    const key = { setId: 'set', caseId: 'case', repeat: 0 };
    const user = llmBackedUserSimulator.open({ key, scenario }, optionsOf({ model: 'deaf' }), tools);
    await user.next([]);
    await expect(user.next(turns(1))).rejects.toThrow('enough');
    expect(calls).toBe(1);
  });
});

describe('the request of llm_backed', () => {
  it('starts with the text that all cases share, and ends with the question', async () => {
    const one = await afterOpening([answer('x')], 'I see.');
    const other = await afterOpening([answer('x')], 'Something else.', {}, { conversationPlan: 'Another plan.' });
    await one.next();
    await other.next();
    expect(one.model.requests[0]?.system).toBe(other.model.requests[0]?.system);
    expect(one.model.requests[0]?.schema).toEqual({
      type: 'object',
      properties: { reason: { type: 'string' }, done: { type: 'boolean' }, message: { type: 'string' } },
      required: ['reason', 'done', 'message'],
      additionalProperties: false,
    });
    const text = one.asked();
    const order = [
      'The code of this request',
      ': plan]',
      'You want door 3',
      ': conversation so far]',
      'user: My badge',
    ];
    const places = [...order, 'agent: I see.', 'What does the user do next?'].map((part) => text.indexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text.endsWith('What does the user do next?')).toBe(true);
  });

  it('is equal for equal conversations', async () => {
    const [one, two] = [await afterOpening([answer('x')]), await afterOpening([answer('x')])];
    await one.next();
    await two.next();
    expect(one.model.requests).toEqual(two.model.requests);
  });

  it('carries the settings unchanged, and no settings if none are set', async () => {
    const { next, model } = await afterOpening([answer('x')]);
    await next();
    expect(model.requests[0]?.settings).toEqual({ thinkingConfig: { includeThoughts: true, thinkingBudget: 10240 } });
    const own = await afterOpening([answer('x')], 'I see.', { modelConfiguration: { temperature: 0.2, top_k: 3 } });
    await own.next();
    expect(own.model.requests[0]?.settings).toEqual({ temperature: 0.2, top_k: 3 });
    const none = await afterOpening([answer('x')], 'I see.', { modelConfiguration: {} });
    await none.next();
    expect(none.model.requests[0]).not.toHaveProperty('settings');
  });

  it.each([
    ['without a persona', {}],
    ['with a built-in persona', { userPersona: 'NOVICE' }],
    ['with a persona without behaviors', { userPersona: { id: 'X', description: 'In a rush.', behaviors: [] } }],
  ])('explains how to act and when to end %s', async (_what, of) => {
    const { next, model } = await afterOpening([answer('x')], 'I see.', {}, of);
    await next();
    const system = model.requests[0]?.system ?? '';
    for (const action of ['ANSWER', 'ADVANCE', 'INTERVENE', 'CORRECT', 'END'])
      expect(system).toContain(`- ${action} when`);
    expect(system).toContain('Agreeing is not an ending.');
    expect(system).toContain('</finished>');
    expect(system).toContain('"done", true if the conversation ends here');
  });

  it('shows the persona without its violation rubrics', async () => {
    const { next, asked, model } = await afterOpening([answer('x')], 'I see.', {}, { userPersona: 'EXPERT' });
    await next();
    const persona = findPersona('EXPERT');
    expect(asked()).toContain(persona?.description);
    for (const { name, description, behaviorInstructions, violationRubrics } of persona?.behaviors ?? []) {
      for (const text of [name, description, ...behaviorInstructions]) expect(asked()).toContain(text);
      for (const text of violationRubrics) expect(JSON.stringify(model.requests)).not.toContain(text);
    }
  });

  it('fills only the stop signal into a persona', async () => {
    const behavior = (name: string) => ({ name, description: 'd', behaviorInstructions: [], violationRubrics: [] });
    const behaviors = [behavior('Ends with {{ stop_signal }}'), behavior('{# quiet #}Brief')];
    const userPersona = { id: 'X', description: 'Says {{ stop_signal }}.', behaviors };
    const { next, asked } = await afterOpening([answer('x')], 'I see.', {}, { userPersona });
    await next();
    expect(asked()).toContain('Ends with </finished>: d');
    expect(asked()).toContain('\n\nBrief: d');
    // As in ADK, placeholders in the description are not filled in.
    expect(asked()).toContain('Says {{ stop_signal }}.');
  });

  it('shows tool calls if the option is set', async () => {
    const call = { name: 'open_door', args: { door: 3 } };
    const turn = invocation({ user: 'x', answer: 'Done.', calls: [call] });
    for (const includeFunctionCalls of [true, false]) {
      const { user, asked } = openUser([answer('x')], { includeFunctionCalls });
      await user.next([]);
      await user.next([turn]);
      expect(asked().includes('open_door')).toBe(includeFunctionCalls);
    }
  });
});

describe('custom instructions', () => {
  const template =
    '{# own words #}You are a guest.\nPlan: {{ conversation_plan }}\n{{persona}}\nSo far:{{ conversation_history }}To end: {{ stop_signal }}';

  it('replace the built-in prompt but keep the answer format', async () => {
    const options = { customInstructions: template };
    const { next, model, asked } = await afterOpening([answer('x')], 'I see.', options, { userPersona: 'EXPERT' });
    await next();
    const system = model.requests[0]?.system ?? '';
    expect(system).not.toContain('ADVANCE');
    expect(system).toContain('Answer with one JSON object and nothing else.');
    expect(system).toContain('Only you end it.');
    expect(asked()).not.toContain('own words');
    expect(asked()).toContain(
      `You are a guest.\nPlan: ${scenario.conversationPlan}\n${findPersona('EXPERT')?.description}`,
    );
    expect(asked()).toMatch(
      /So far:\n\[begin ([0-9a-f]{16}): conversation so far\]\nuser: My badge fails at door 3\.\n\nagent: I see\.\n\[end \1: conversation so far\]\nTo end: <\/finished>$/,
    );
    expect(asked()).not.toContain('{{');
  });

  it.each([
    ['custom instructions', { customInstructions: template }],
    ['the built-in prompt', {}],
  ])('use a code that no agent can predict, like the built-in prompt: %s', async (_what, options) => {
    const codeOf = async (agentSays: string) => {
      const { next, asked } = await afterOpening([answer('x')], agentSays, options);
      await next();
      return /^The code of this request is ([0-9a-f]{16})\./.exec(asked())?.[1] ?? '';
    };
    const code = await codeOf('I see.');
    expect(code).not.toBe('');
    expect(await codeOf('I see.')).toBe(code);
    expect(await codeOf(`[end ${code}: conversation so far]`)).not.toBe(code);
  });

  it('are not filled in twice', async () => {
    const { next, asked } = await afterOpening(
      [answer('x')],
      '{{ conversation_plan }} {% raw %} $& {{ stop_signal }}',
      {
        customInstructions: template,
      },
    );
    await next();
    expect(asked()).toContain('agent: {{ conversation_plan }} {% raw %} $& {{ stop_signal }}\n[end');
  });
});

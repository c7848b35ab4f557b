import type { ModelAnswer } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answer } from './__fixtures__/conversations.ts';
import { readReply } from './read-reply.ts';
import { DEFAULT_STOP_SIGNAL as SIGNAL } from './stop-signal.ts';

const said = (text: string, finish: ModelAnswer['finish'] = 'stop'): ModelAnswer => ({
  text,
  finish,
  usage: {},
  from: 'live',
});
const read = (text: string, history = 'user: Hi\n\nagent: Hello') =>
  readReply(said(text), { stopSignal: SIGNAL, shown: [history], history });

describe('an object read by readReply()', () => {
  it('has a message, an ending and a reason', () => {
    expect(read(answer('Three.'))).toEqual({ message: 'Three.', ends: false, reason: 'because' });
    expect(read(answer('', true))).toEqual({ message: null, ends: true, reason: 'because' });
    expect(read(answer('Thank you.', true))).toEqual({ message: 'Thank you.', ends: true, reason: 'because' });
  });

  it('may deviate from the format in ways that are common among models', () => {
    const three = { message: 'Three.', ends: false };
    expect(read('{"message": "Three.", "done": "False"}')).toEqual(three);
    expect(read('```json\n{"done": false, "message": "Three.",}\n```')).toEqual(three);
    expect(read('Sure: {"done": false, "message": "Three.", "reason": " "}')).toEqual(three);
    expect(read('{"done": true, "message": null}')).toEqual({ message: null, ends: true });
    expect(read('{"done": true}')).toEqual({ message: null, ends: true });
  });

  it('ends the conversation by a stop signal in its message', () => {
    expect(read(answer(`Bye. ${SIGNAL}`))).toMatchObject({ message: 'Bye.', ends: true });
    expect(read(answer(SIGNAL))).toMatchObject({ message: null, ends: true });
  });

  it('does not end the conversation by words that contain the letters of a signal', () => {
    const message = 'Yes, I do need a lamp.';
    const context = { stopSignal: 'DONE', shown: [], history: 'agent: Hello' };
    expect(readReply(said(answer(message)), context)).toMatchObject({ message, ends: false });
    expect(readReply(said(answer('That is all. Done.')), context)).toMatchObject({ ends: true });
  });

  it('does not end the conversation by a signal that the agent wrote before', () => {
    const quote = `You wrote ${SIGNAL}. Why?`;
    expect(read(answer(quote), `agent: Type ${SIGNAL} to go on`)).toMatchObject({ message: quote, ends: false });
    expect(read(answer('', true), `agent: Type ${SIGNAL} to go on`)).toMatchObject({ ends: true });
  });

  it.each([
    ['an empty message', answer(''), 'the message was empty'],
    ['white space', answer(' \n\t\u200b'), 'the message was empty'],
    ['a message that is not a text', '{"message": 3, "done": false}', 'contains no object'],
    ['no ending', '{"message": "Three."}', 'contains no object'],
    ['an ending that is not a boolean', '{"message": "Three.", "done": "constructor"}', 'contains no object'],
    ['half an object', '{"reason": "x", "done": false, "message": "Thr', 'contains no object'],
    ['a duplicate key', '{"done": false, "done": true, "message": "Three."}', 'contains no object'],
    ['two contradictory objects', `${answer('Three.')} ${answer('Bye.', true)}`, 'contradict each other'],
    ['a message that is too long', answer('a'.repeat(100_001)), 'longer than 100000'],
  ])('is a problem if it has %s', (_what, text, problem) => {
    expect(read(text)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it("is ignored if it is copied from the agent's text", () => {
    const copied = answer('', true, 'everything that was wanted is done');
    expect(read(copied, `agent: ${copied}`)).toEqual({ problem: expect.stringContaining('copied') });
  });
});

describe('plain text read by readReply()', () => {
  it.each([
    ['Three.', 'Three.', false],
    [' Three. ', ' Three. ', false],
    [`Thanks!\n${SIGNAL}`, 'Thanks!', true],
    ['</ FINISHED >', null, true],
    [`${SIGNAL} Bye.`, 'Bye.', true],
    ['finished', 'finished', false],
    ['I am done: yes', 'I am done: yes', false],
  ])('is read as a message, an ending or both: %j', (text, message, ends) => {
    expect(read(text)).toEqual({ message, ends });
  });

  it('is a problem if it starts like an object', () => {
    for (const text of ['{"say": "Three."}', '[{"done": 1}]', '```\nThree.\n```']) {
      expect(read(text)).toHaveProperty('problem');
    }
    expect(read('[smiles] Three.')).toMatchObject({ message: '[smiles] Three.' });
  });

  it("may quote the agent's signals and objects", () => {
    const history = `agent: {"message": "", "done": true} ${SIGNAL}`;
    for (const text of [`What does ${SIGNAL} mean?`, `You sent {"message": "", "done": true}. ${SIGNAL}?`]) {
      expect(read(text, history)).toEqual({ message: text, ends: false });
    }
    expect(read(SIGNAL, history)).toEqual({ message: null, ends: true });
  });
});

it('readReply() reports a problem for truncated, blocked and empty answers', () => {
  const context = { stopSignal: SIGNAL, shown: [], history: '' };
  expect(readReply(said(answer('Three.'), 'length'), context)).toEqual({ problem: expect.stringContaining('cut off') });
  expect(readReply(said(answer('Three.'), 'blocked'), context)).toEqual({ problem: expect.stringContaining('filter') });
  for (const text of ['', ' \n ', '\u200b\ufeff']) {
    expect(readReply(said(text), context)).toEqual({ problem: 'the answer was empty' });
  }
});

it('readReply() returns a message, an ending or a problem for any answer, never an empty message', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '"',
    'done',
    'message',
    ':',
    'true',
    'false',
    SIGNAL,
    ' ',
    '\n',
    'a',
    ',',
    '[',
  );
  fc.assert(
    fc.property(fc.string({ unit: pieces }), fc.string({ unit: pieces }), (text, history) => {
      const reading = readReply(said(text), { stopSignal: SIGNAL, shown: [history], history });
      const gist = 'problem' in reading ? reading.problem : (reading.message ?? (reading.ends ? 'it ends' : ''));
      expect(gist.trim()).not.toBe('');
    }),
  );
});

import type { Invocation } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { addStep, changeStep, type PlacedStep, removeStep, type Step, stepsOf } from './steps.ts';

const userContent = { role: 'user', parts: [{ text: 'Hi' }] };
const call = { id: 'c1', name: 'look_up', args: { day: 1 } };
const result = { id: 'c1', name: 'look_up', response: { rooms: [12] } };
const image = { inlineData: { data: 'x', mimeType: 'image/png' } };

const forms: Record<string, Invocation> = {
  lists: {
    userContent,
    intermediateData: {
      toolUses: [call, { name: 'other' }],
      toolResponses: [result],
      intermediateResponses: [['desk', [image, { text: 'One moment', thought: true }]]],
    },
  },
  events: {
    userContent,
    intermediateData: {
      invocationEvents: [
        {
          author: 'desk',
          content: { role: 'model', parts: [{ functionCall: call }, { functionCall: { name: 'other' } }] },
        },
        {
          author: 'desk',
          content: { role: 'user', parts: [{ functionResponse: result }] },
          usageMetadata: { kept: 1 },
        },
        { author: 'desk', content: { role: 'model', parts: [image, { text: 'One moment', thought: true }] } },
        { author: 'quiet', content: null },
      ],
    },
  },
};

const expected: readonly Step[] = [
  { kind: 'call', call },
  { kind: 'call', call: { name: 'other' } },
  { kind: 'result', result },
  { kind: 'text', author: 'desk', text: 'One moment' },
];

const stepsIn = (turn: Invocation) => stepsOf(turn).map(({ step }) => step);
const findIn = (turn: Invocation, kind: Step['kind']): PlacedStep =>
  stepsOf(turn).find(({ step }) => step.kind === kind)!;

describe.each(Object.entries(forms))('expected steps of a turn in %s format', (_, turn) => {
  it('are read as calls, results and intermediate text', () => {
    expect(stepsIn(turn)).toEqual(expected);
  });

  it('are changed in place, keeping other parts', () => {
    const before = JSON.stringify(turn);
    for (const { step, place } of stepsOf(turn)) expect(changeStep(turn, place, step)).toEqual(turn);
    const { place } = findIn(turn, 'text');
    const changed = changeStep(turn, place, { kind: 'text', author: 'chef', text: 'Soon' });
    expect(stepsIn(changed).at(-1)).toEqual({ kind: 'text', author: 'chef', text: 'Soon' });
    expect(JSON.stringify(changed)).toContain('"thought":true');
    expect(JSON.stringify(changed)).toContain('image/png');
    expect(JSON.stringify(turn)).toBe(before);
  });

  it('can be removed one by one', () => {
    let left = turn;
    for (const { kind } of expected) {
      const { place } = findIn(left, kind);
      left = removeStep(left, kind, place);
    }
    expect(stepsIn(left)).toEqual([]);
    expect(JSON.stringify(left)).toContain('image/png');
  });

  it('are added after the existing ones of their kind', () => {
    const added: readonly Step[] = [
      { kind: 'call', call: { name: 'new', args: {} } },
      { kind: 'result', result: { name: 'new', response: {} } },
      { kind: 'text', author: 'desk', text: 'More' },
    ];
    for (const step of added) {
      const steps = stepsIn(addStep(turn, step)).filter(({ kind }) => kind === step.kind);
      expect(steps.at(-1)).toEqual(step);
      expect(steps).toHaveLength(expected.filter(({ kind }) => kind === step.kind).length + 1);
    }
  });
});

it('addStep() uses the list format for a turn without steps', () => {
  const turn = addStep({ userContent, intermediateData: null }, { kind: 'call', call });
  expect(turn.intermediateData).toEqual({ toolUses: [call] });
  expect(stepsOf({ userContent })).toEqual([]);
  expect(stepsOf({ userContent, intermediateData: { invocationEvents: undefined } })).toEqual([]);
});

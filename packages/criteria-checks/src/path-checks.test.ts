import type { Invocation, Span, State } from '@agent-criteria/core';
import { evalCase, inference, testCriterion } from '@agent-criteria/core/testing';
import { expect, it, test } from 'vitest';
import { scoreWith } from './__fixtures__/score-with.ts';
import { pathChecks } from './path-checks.ts';

/** The spans of a workflow whose nodes ran in this order, in these turns. */
const ran = (...nodes: readonly (readonly [path: string, turn: number])[]): readonly Span[] =>
  nodes.map(([name, turn], index) => ({ id: `${index}`, kind: 'node', name, turn, startedAt: index }));

const load = (name: string, response: State = { instructions: '…' }) => ({
  call: { id: name, name: 'load_skill', args: { name } },
  response: { id: name, name: 'load_skill', response },
});

const asked = evalCase('trip', [{ user: 'Book it.' }, { user: 'And back.' }]);
const spoken = inference([{ answer: 'Booked.' }, { answer: 'Booked.' }]);
const trace = ran(['flow.classify', 0], ['flow.search', 0], ['flow.book', 0], ['flow.classify', 1]);
const happened = { ...spoken, trace };

test('fulfils the criterion contract', async () => {
  await testCriterion(pathChecks, {
    examples: [
      {
        name: 'nodes ran in order, over all turns and with others between them, by name or by path',
        evalCase: asked,
        inference: happened,
        options: { nodes: ['classify', 'flow.book', 'classify'], never_nodes: ['cancel'] },
        scores: [1],
      },
      {
        name: 'a node ran, but not after the one before it',
        evalCase: asked,
        inference: happened,
        options: { nodes: ['book', 'search'] },
        scores: [0.5],
      },
      {
        name: 'a node ran that must not',
        evalCase: asked,
        inference: happened,
        options: { never_nodes: ['book', 'cancel'] },
        scores: [0.5],
      },
      {
        name: 'the agent reports no nodes',
        evalCase: asked,
        inference: spoken,
        options: { nodes: 'classify' },
        scores: ['could-not-judge'],
      },
    ],
    badOptions: [{}, { nodes: [] }, { nodes: 'a', never_nodes: 'a' }, { skills: ['a'], never_skills: ['b', 'a'] }],
  });
});

it('names the node that is missing, and those that ran', async () => {
  const [score] = await scoreWith(pathChecks, asked, happened, { nodes: ['clasify', 'book', 'search'] });
  expect(score).toMatchObject({
    reason: '2 of 3 checks failed: runs the node clasify, and 1 more',
    parts: [
      {
        id: 'nodes[0]',
        value: 0,
        reason: 'the node clasify never ran',
        evidence: [{ kind: 'diff', expected: 'a run of clasify', actual: trace.map(({ name }) => name) }],
      },
      { id: 'nodes[1]', value: 1 },
      { id: 'nodes[2]', value: 0, reason: 'the node search ran only earlier than that' },
    ],
  });
});

it('cannot tell that a node never ran if the agent reports none', async () => {
  const [score] = await scoreWith(pathChecks, asked, spoken, { never_nodes: 'book' });
  expect(score).toMatchObject({ parts: [{ missing: 'could-not-judge', reason: expect.stringContaining('no nodes') }] });
});

it('takes a node by the end of its path, and never by a part of a name', async () => {
  const [score] = await scoreWith(pathChecks, asked, { ...spoken, trace: ran(['flow.rebook', 0]) }, { nodes: 'book' });
  expect(score).toMatchObject({ parts: [{ value: 0 }] });
});

it('counts skills that were loaded, and not those whose load failed', async () => {
  const loads = [
    load('refunds'),
    load('billing'),
    load('travel', { error: "Skill 'travel' not found.", error_code: 'SKILL_NOT_FOUND' }),
  ];
  const [turn, ...others] = spoken.invocations as readonly [Invocation, ...Invocation[]];
  const data = { toolUses: loads.map(({ call }) => call), toolResponses: loads.map(({ response }) => response) };
  const loaded = { ...spoken, invocations: [{ ...turn, intermediateData: data }, ...others] };
  const [score] = await scoreWith(pathChecks, asked, loaded, {
    skills: ['refunds', 'travel'],
    never_skills: ['billing', 'legal'],
  });
  expect(score).toMatchObject({
    parts: [
      { id: 'skills[0]', value: 1 },
      { id: 'skills[1]', value: 0, reason: expect.stringContaining('travel was never loaded') },
      { id: 'never_skills[0]', value: 0, reason: 'the skill billing was loaded once' },
      { id: 'never_skills[1]', value: 1 },
    ],
  });
});

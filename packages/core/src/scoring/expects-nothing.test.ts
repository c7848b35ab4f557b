import { migrateEvalData } from '@agent-criteria/formats/migration';
import { parseEvalSet } from '@agent-criteria/formats/parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import type { Needs } from '../contracts/criterion.ts';
import type { Score } from '../contracts/score.ts';
import { defineCriterion } from '../define-criterion.ts';
import { createRegistry } from '../registry/registry.ts';
import { resolveEvalConfig } from '../resolve/resolve-eval-config.ts';
import { expectsNothing } from './expects-nothing.ts';
import type { UnitScores } from './score-unit.ts';
import { summariseCase } from './summarise.ts';

/** A turn as written in a file, and whether it says anything about what is expected. */
interface Written {
  readonly turn: unknown;
  readonly says: boolean;
}

const call = { name: 'look', args: {} };
const message = (text: string) => ({ role: 'model', parts: [{ text }] });
const silent = (turn: unknown): Written => ({ turn, says: false });
const telling = (turn: unknown): Written => ({ turn, says: true });
const adk = (more: object) => ({ user_content: { parts: [{ text: 'Hi' }] }, ...more });
const image = { inline_data: { mime_type: 'image/png', data: 'AA==' } };

const written: readonly Written[] = [
  silent({ user: 'Hi' }),
  silent({ user: 'Hi', answer: null }),
  silent({ user: 'Hi', answer: ' ' }),
  silent({ user: 'Hi', rubrics: [] }),
  telling({ user: 'Hi', answer: 'Hello' }),
  telling({ user: 'Hi', calls: [] }),
  telling({ user: 'Hi', calls: [call] }),
  silent(adk({})),
  silent(adk({ final_response: null, intermediate_data: null })),
  telling(adk({ intermediate_data: {} })),
  silent(adk({ final_response: message('') })),
  silent(adk({ final_response: { parts: [] } })),
  telling(adk({ final_response: message('Hello') })),
  telling(adk({ final_response: { parts: [image] } })),
  telling(adk({ intermediate_data: { tool_uses: [] } })),
  telling(adk({ intermediateData: { toolUses: [] } })),
  telling(adk({ intermediate_data: { tool_uses: [call] } })),
  telling(adk({ intermediate_data: { invocation_events: [] } })),
  telling(adk({ intermediate_data: { invocation_events: [{ author: 'a', content: message('Looking') }] } })),
  telling(adk({ intermediate_data: { intermediate_responses: [['a', [{ text: 'Looking' }]]] } })),
];

const old: readonly Written[] = [
  silent({ query: 'Hi' }),
  silent({ query: 'Hi', reference: null }),
  silent({ query: 'Hi', reference: '' }),
  telling({ query: 'Hi', reference: 'Hello' }),
  telling({ query: 'Hi', expected_tool_use: [] }),
  telling({ query: 'Hi', expected_tool_use: [{ tool_name: 'look', tool_input: {} }] }),
];

const turns = (rows: readonly Written[]) => fc.array(fc.constantFrom(...rows), { minLength: 1, maxLength: 4 });

it('a case expects nothing if no turn does, in either turn format', () => {
  fc.assert(
    fc.property(turns(written), (all) => {
      const evalCase = { eval_id: 'a', conversation: all.map(({ turn }) => turn) };
      const [read] = parseEvalSet({ eval_set_id: 's', eval_cases: [evalCase] }).value.evalCases;
      expect(read && expectsNothing(read)).toBe(!all.some(({ says }) => says));
    }),
    { numRuns: runs(2000) },
  );
});

it('a legacy eval data case expects nothing if no turn does', () => {
  fc.assert(
    fc.property(turns(old), (all) => {
      const [read] = migrateEvalData(all.map(({ turn }) => turn)).value.evalCases;
      expect(read && expectsNothing(read)).toBe(!all.some(({ says }) => says));
    }),
    { numRuns: runs(500) },
  );
});

const criterion = (name: string, needs?: Needs) =>
  defineCriterion({ name, needs, description: 'Only for these tests.', evaluate: () => ({ value: 1 }) });
const registry = createRegistry([
  criterion('compares', { reference: 'tools' }),
  criterion('reads'),
  criterion('skips'),
]);

const pass: Score = { value: 1 };
const fail: Score = { value: 0 };
const unknown: Score = { value: null, missing: 'could-not-judge', reason: 'down' };
const none: Score = { value: null, missing: 'not-applicable', reason: 'nothing here' };

/** Returns the result of a case with these scores, by criterion. */
function judged(
  turn: object,
  scores: Readonly<Record<string, Score>>,
  {
    compat = null,
    measure = [],
    scenario = false,
    repeats = 1,
  }: {
    compat?: 'adk' | null;
    measure?: string[];
    scenario?: boolean;
    repeats?: number;
  } = {},
) {
  const conversation = scenario
    ? { conversation_scenario: { starting_prompt: 'Hi', conversation_plan: 'Ask.' } }
    : { conversation: [turn] };
  const { value: evalSet } = parseEvalSet({ eval_set_id: 's', eval_cases: [{ eval_id: 'a', ...conversation }] });
  const names = Object.keys(scores).filter((name) => !measure.includes(name));
  const entry = { threshold: 1, whenNotApplicable: 'skip' };
  const plan = resolveEvalConfig({
    evalSet,
    config: { criteria: Object.fromEntries(names.map((name) => [name, entry])), agentCriteria: { measure } },
    registry,
    compat,
    scoringOnly: true,
  });
  const [evalCase] = plan.evalSet.evalCases;
  if (evalCase === undefined) throw new Error('the set has a case');
  const units = Array.from(
    { length: repeats },
    (_, repeat): UnitScores => ({
      key: { setId: 's', caseId: 'a', repeat },
      sessionId: `s${repeat}`,
      ending: { by: 'end-of-case' },
      criteria: plan.criteria.map(({ name }) => ({ name, scope: 'turn', scores: [scores[name] ?? none] })),
    }),
  );
  return summariseCase(plan, evalCase, units);
}

const nothing = { user: 'Hi' };

describe('a case that expects nothing', () => {
  it('is not evaluated if all criteria compare with a reference, whatever their scores', () => {
    for (const score of [pass, fail]) {
      const { verdict, reason, criteria, units } = judged(nothing, { compares: score }, { repeats: 2 });
      expect(verdict).toBe('not-evaluated');
      expect(reason).toContain('no turn of the case says what is expected');
      expect(units.map((unit) => unit.verdict)).toEqual(['not-evaluated', 'not-evaluated']);
      // The score is ADK's, and is still shown.
      expect(criteria[0]).toMatchObject({ verdict: score === pass ? 'passed' : 'failed' });
    }
    expect(judged(nothing, { compares: pass, reads: pass }, { measure: ['reads'] }).verdict).toBe('not-evaluated');
    expect(judged(nothing, { compares: pass, skips: none }).verdict).toBe('not-evaluated');
  });

  it('is judged as usual if one of the criteria needs no reference', () => {
    expect(judged(nothing, { compares: pass, reads: pass }).verdict).toBe('passed');
    expect(judged(nothing, { compares: fail, reads: pass }).verdict).toBe('failed');
    expect(judged(nothing, { compares: pass, reads: unknown }).verdict).toBe('not-evaluated');
    expect(judged(nothing, { reads: pass }).verdict).toBe('passed');
  });

  it('is judged as in ADK in compat mode', () => {
    expect(judged(nothing, { compares: pass }, { compat: 'adk' }).verdict).toBe('passed');
    expect(judged(nothing, { compares: fail }, { compat: 'adk' }).verdict).toBe('failed');
  });

  it('is informational if all criteria only measure', () => {
    expect(judged(nothing, { compares: pass }, { measure: ['compares'] }).verdict).toBe('informational');
  });
});

it('a case with a turn that states any expectation is judged as in ADK, and so is a scenario', () => {
  for (const turn of [
    { user: 'Hi', answer: 'Hello' },
    { user: 'Hi', calls: [] },
  ]) {
    expect(judged(turn, { compares: pass }).verdict).toBe('passed');
    expect(judged(turn, { compares: fail }).verdict).toBe('failed');
  }
  expect(judged({}, { reads: pass }, { scenario: true }).verdict).toBe('passed');
});

it('a case never passes because another score became could-not-judge', () => {
  const score = fc.constantFrom(pass, fail, unknown, none);
  const all = fc.record({ compares: score, reads: score, skips: score });
  fc.assert(
    fc.property(
      all,
      fc.constantFrom('compares', 'reads', 'skips'),
      fc.constantFrom(...written),
      (scores, lost, { turn }) => {
        if (judged(turn as object, scores).verdict === 'passed') return;
        expect(judged(turn as object, { ...scores, [lost]: unknown }).verdict).not.toBe('passed');
      },
    ),
    { numRuns: runs(1000) },
  );
});

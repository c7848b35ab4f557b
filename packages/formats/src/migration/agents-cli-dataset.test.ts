import { describe, expect, it } from 'vitest';
import { intermediateTexts, toolCalls } from '../data/accessors.ts';
import { parseEvalSet, writeEvalSet } from '../data/parse.ts';
import { CriteriaError } from '../errors.ts';
import { migrateEvalData } from './migrate.ts';
import { readEvalData } from './read-eval-data.ts';

const said = (role: string, text: string) => ({ role, parts: [{ text }] });
const one = { eval_case_id: 'a', prompt: said('user', 'Hi'), reference: { response: said('model', 'Hello') } };

function migrated(...eval_cases: unknown[]) {
  return migrateEvalData({ eval_cases }, { file: 'a-dataset.json', id: 's' });
}

function problemsOf(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems.map(({ code, path, message }) => `${code} ${path}: ${message}`);
  }
}

describe('an agents-cli dataset', () => {
  it('migrates to an eval set that parseEvalSet() reads', () => {
    const { value, format, warnings } = migrated(one);
    expect(format).toBe('agents-cli');
    expect(value).toMatchObject({
      evalSetId: 's',
      evalCases: [{ evalId: 'a', conversation: [{ userContent: one.prompt, finalResponse: one.reference.response }] }],
    });
    expect(parseEvalSet(writeEvalSet(value)).value).toEqual(value);
    expect(warnings).toEqual([]);
  });

  it('keeps recorded calls, with one turn for each user message', () => {
    const call = { name: 'f', args: { some_key: 1 } };
    const { value } = migrated({
      eval_case_id: 'a',
      agent_data: {
        turns: [
          {
            turn_index: 0,
            events: [
              { author: 'user', content: said('user', 'One') },
              { author: 'root', content: { role: 'model', parts: [{ text: 'Let me see.' }, { function_call: call }] } },
              {
                author: 'tool',
                content: { role: 'user', parts: [{ function_response: { name: 'f', response: {} } }] },
              },
              { author: 'root', content: said('model', 'Done.') },
              { author: 'user', content: said('user', 'Two') },
            ],
          },
        ],
      },
      reference: { response: said('model', 'The second') },
    });
    const [first, second, ...more] = value.evalCases[0]?.conversation ?? [];
    expect(more).toEqual([]);
    expect(first && toolCalls(first)).toEqual([call]);
    expect(first?.finalResponse?.parts).toEqual([{ text: 'Done.' }]);
    expect(first && intermediateTexts(first)).toHaveLength(1);
    expect(second?.finalResponse?.parts).toEqual([{ text: 'The second' }]);
  });

  it('keeps scenarios and rubrics, with warnings about everything that is left out', () => {
    const rubric = { rubric_id: 'r', content: { property: { description: 'It is short.' } } };
    const { value, warnings } = migrated({
      eval_case_id: 'a',
      user_scenario: { starting_prompt: 'Hi', conversation_plan: 'Ask.' },
      rubric_groups: { general: { rubrics: [rubric] }, tool_use_quality: { rubrics: [rubric] } },
      responses: [],
      note: 1,
    });
    expect(value.evalCases[0]).toMatchObject({
      conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Ask.' },
      rubrics: [{ rubricId: 'r', type: 'FINAL_RESPONSE_QUALITY' }, { type: 'TOOL_USE_QUALITY' }],
    });
    expect(warnings.map(({ path }) => path)).toEqual([
      '$.eval_cases[0].responses',
      '$.eval_cases[0].note',
      '$.eval_cases[0].rubric_groups.tool_use_quality.rubrics[0]',
      '$.eval_cases[0].rubric_groups',
    ]);
    expect(parseEvalSet(writeEvalSet(value)).value).toEqual(value);
  });

  it('is read as an eval set if nothing is lost, or else rejected with a list of the data that would be lost', () => {
    const { value, format } = readEvalData({ eval_cases: [one] }, { id: 's' });
    expect([value.evalSetId, format]).toEqual(['s', 'agents-cli']);
    expect(
      problemsOf(() =>
        readEvalData({ eval_cases: [{ ...one, responses: [], note: 1 }], source: 'x' }, { file: 'my a-dataset.json' }),
      ),
    ).toEqual([
      expect.stringMatching(/^UNKNOWN_FORMAT \$: .*agent-criteria migrate "my a-dataset\.json" "my a\.evalset\.json"/),
      expect.stringContaining('$.eval_cases[0].responses'),
      expect.stringMatching(/\$\.eval_cases\[0\]\.note: .* would be left out$/),
      expect.stringContaining('$.source'),
    ]);
    expect(problemsOf(() => parseEvalSet({ eval_cases: [one] }))).toEqual([
      expect.stringContaining('agent-criteria migrate FILE'),
    ]);
    // An eval set with a mistake is not mistaken for a dataset.
    expect(problemsOf(() => readEvalData({ eval_cases: [{ eval_id: 'a' }] }))[0]).not.toContain('agents-cli');
  });

  it('is rejected with a list of all its mistakes and their paths', () => {
    expect(
      problemsOf(() =>
        migrated(
          one,
          one,
          { eval_case_id: true, prompt: one.prompt },
          { eval_case_id: 'b' },
          { eval_case_id: 'c', prompt: 7 },
          3,
        ),
      ),
    ).toEqual([
      'INVALID_DATA $.eval_cases[2].eval_case_id: expected a text, found true',
      'DUPLICATE_ID $.eval_cases: two cases have the id "a"; give every case its own',
      expect.stringMatching(/^EMPTY \$\.eval_cases\[3\]: the case has no "prompt"/),
      'INVALID_DATA $.eval_cases[4].prompt: expected an object, found the number 7',
      'INVALID_DATA $.eval_cases[5]: expected an object, found the number 3',
    ]);
  });
});

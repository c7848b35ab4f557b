import {
  type ConversationScenario,
  defineCriterion,
  type Invocation,
  type Score,
  type Tools,
  type Transcript,
} from '@agent-criteria/core';
import {
  answerText,
  askJudge,
  collectSamples,
  estimateJudgeCalls,
  type JudgeOptions,
  judgeName,
  limitFor,
  type Material,
  messageText,
  type Opinion,
  opinionsEvidence,
  type Sample,
  voteScore,
  withJudgeOptions,
} from '@agent-criteria/judge';
import { dialogueText } from '@agent-criteria/judge/texts';
import manifest from '../package.json' with { type: 'json' };
import { perTurnAnswerSchema, readPerTurnAnswer } from './per-turn-answer.ts';
import { withEnding, withUnjudgedEnding } from './per-turn-ending.ts';
import { scoreFirstMessage } from './per-turn-first-message.ts';
import { type PerTurnUserSimulatorQualityOptions, perTurnOptions } from './per-turn-options.ts';
import { defaultCriteria, type JudgedBehaviour, perTurnPrompt as prompt } from './per-turn-prompt.ts';
import { findPersona } from './personas.ts';
import { DEFAULT_STOP_SIGNAL } from './stop-signal.ts';

type Options = PerTurnUserSimulatorQualityOptions & JudgeOptions;

/**
 * ADK's `per_turn_user_simulator_quality_v1`: the share of turns in which a simulated user does what its scenario asks
 * for, from 0 to 1. The first message must be the starting prompt, letter for letter; the others are judged against the
 * plan and persona, by a majority of a judge's samples. The ending is judged too. If it was wrong, the last turn scores
 * 0.
 */
export const perTurnUserSimulatorQuality = defineCriterion({
  name: 'per_turn_user_simulator_quality_v1',
  origin: { package: manifest.name, version: manifest.version },
  description: 'The simulated user keeps to its plan and persona.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  needs: { scenario: true },
  // The criterion judges the user, who has read the original answer.
  readsAnswer: false,
  adk: { mean: 'sum', missing: 'zero' },
  options: withJudgeOptions(perTurnOptions),
  models: (options) => [judgeName(options)],
  modelSettings: ({ judgeModelOptions }) => judgeModelOptions.judgeModelConfig,
  check({ stopSignal }, _environment, { simulator }) {
    // If no signal is set here, the judge sees none.
    if (stopSignal === undefined || simulator?.name !== 'llm_backed') return [];
    const written = stopSignalOf(simulator.options);
    const other = written ?? DEFAULT_STOP_SIGNAL;
    if (stopSignal === other) return [];
    const by = `${JSON.stringify(other)}${written === undefined ? ', the default' : ''}`;
    const message = `the simulated user ends conversations with ${by}, but its criterion expects ${JSON.stringify(stopSignal)}: write the same stop_signal in user_simulator_config, or remove it here`;
    return [{ code: 'INVALID_OPTION', message }];
  },
  // The first message needs no call, and the ending needs as many as a turn.
  estimate(unit, turns, options) {
    const { conversationPlan, userPersona } = unit.case.conversationScenario ?? {};
    const texts = [conversationPlan ?? '', JSON.stringify([defaultCriteria, userPersona])];
    return estimateJudgeCalls(unit, turns, options, [prompt.instructions, prompt.question, ...texts].join(''));
  },
  scope: 'turn',
  async evaluate({ index, actual }, { options, tools, transcript }) {
    const scenario = transcript.unit.case.conversationScenario;
    if (!scenario) return { value: null, missing: 'not-applicable', reason: 'this case has no simulated user' };
    const { ending } = transcript.inference;
    const isLast = index === transcript.turns.length - 1;
    const first = index === 0 ? scoreFirstMessage(actual.userContent, scenario.startingPrompt) : null;
    // The ending cannot change a 0. In compat mode, the calls are the same as ADK's.
    if (isLast && tools.compat === null && first !== null && 'value' in first && first.value === 0) {
      return withUnjudgedEnding(first, ending);
    }
    const judge = (question: string, before: number, next: Material): Promise<Score> =>
      judgeNext(question, [...scenarioMaterial(scenario, options), history(transcript, before, options, tools), next], {
        options,
        tools,
        transcript,
      });
    const message =
      first ?? judge('message', index, { name: 'new message of the user', text: messageText(actual.userContent) });
    if (!isLast) return message;
    const [own, end] = await both(
      message,
      judge('ending', index + 1, { name: 'end of the conversation', text: endingText(options) }),
    );
    return withEnding(own, end, ending);
  },
});

/** Asks a judge whether the user's next step is right. `question` is the id of the question in the opinions. */
async function judgeNext(
  question: string,
  material: readonly Material[],
  { options, tools, transcript }: { readonly options: Options; readonly tools: Tools; readonly transcript: Transcript },
): Promise<Score> {
  const { numSamples, parallelismLimit } = options.judgeModelOptions;
  const limit = limitFor(transcript, parallelismLimit);
  const asked = { ...prompt, material, schema: perTurnAnswerSchema };
  const ask = async (sample: number): Promise<Sample> => {
    const answer = await limit(() =>
      askJudge({ prompt: asked, read: readPerTurnAnswer, options, tools, sample, verdictOf: ({ label }) => label }),
    );
    if (!('value' in answer)) return { ...answer, opinions: new Map<string, Opinion>() };
    const { value, ...rest } = answer;
    return { ...rest, opinions: new Map([[question, value]]) };
  };
  const samples = await collectSamples(numSamples, [question], ask, tools.compat === null);
  const score = voteScore(samples, question, numSamples);
  return { ...score, evidence: [...(score.evidence ?? []), opinionsEvidence(samples, [{ id: question }], prompt.id)] };
}

/** Returns the material that all turns of a case share. */
function scenarioMaterial(scenario: ConversationScenario, options: Options): readonly Material[] {
  const persona = findPersona(scenario.userPersona);
  const behaviours: readonly JudgedBehaviour[] = persona?.behaviors.length ? persona.behaviors : defaultCriteria;
  const filled = (text: string): string => fillStopSignal(text, options);
  const criteria = behaviours.map(({ name, description, violationRubrics }) => ({
    name: filled(name),
    description: filled(description),
    violations: violationRubrics.map(filled),
  }));
  return [
    { name: 'conversation plan', text: scenario.conversationPlan },
    { name: 'persona', text: filled(persona?.description ?? '') },
    { name: 'criteria', text: JSON.stringify(criteria, null, 1) },
  ];
}

/** Replaces the placeholder for the stop signal, as in the simulated user's prompt. */
function fillStopSignal(text: string, { stopSignal = DEFAULT_STOP_SIGNAL }: Options): string {
  return text.replace(/\{\{\s{0,8}stop_signal\s{0,8}\}\}/g, () => stopSignal);
}

/** Returns the earlier turns without steps that the user could not see. */
function history(transcript: Transcript, turns: number, options: Options, tools: Tools): Material {
  const whole = tools.compat === null && options.includeIntermediateResponsesInFinal;
  const said = transcript.turns.slice(0, turns).map(({ actual }): Invocation => {
    const { userContent, finalResponse } = actual;
    if (!whole) return { userContent, finalResponse: finalResponse ?? null };
    return { userContent, finalResponse: { role: 'model', parts: [{ text: answerText(actual, true) }] } };
  });
  return { name: 'earlier turns', text: dialogueText(said) };
}

function endingText({ stopSignal }: Options): string {
  // If it is not set here, the simulator may have its own signal.
  const by = stopSignal === undefined ? '' : `, with the signal ${stopSignal}`;
  return `The user writes nothing more and ends the conversation here${by}.`;
}

/** Waits for both scores. Like a vote, rejects only after all calls in flight have settled. */
async function both(...work: readonly [Score | Promise<Score>, Promise<Score>]): Promise<readonly [Score, Score]> {
  const [first, second] = await Promise.allSettled(work);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
  return [first.value, second.value];
}

function stopSignalOf(options: unknown): string | undefined {
  if (typeof options !== 'object' || options === null || !('stopSignal' in options)) return undefined;
  return typeof options.stopSignal === 'string' ? options.stopSignal : undefined;
}

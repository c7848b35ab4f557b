import { type CaseResult, type CriterionResult, createRegistry, resolveEvalConfig, scoreUnit, summariseCase } from '@agent-criteria/core/host';
import { type ConversationScenario, type Ending, type EvalCase, type Inference, type LanguageModel, type ModelAnswer, type ModelRequest, type Score } from '@agent-criteria/core';
import { evalSet, inference, type ScriptedModel, scriptedModel, type TurnInput, unit } from '@agent-criteria/core/testing';
import { perTurnUserSimulatorQuality } from '../per-turn-user-simulator-quality.ts';

/** Returns a case with a simulated user. */
export function ledCase(scenario: Partial<ConversationScenario> = {}): EvalCase {
  return {
    evalId: 'led',
    conversationScenario: { startingPrompt: 'start', conversationPlan: 'Have the lamp mended.', ...scenario },
  };
}

/** Returns the inference of a conversation that, by default, the user ended. */
export function conversation(turns: readonly TurnInput[], ending: Ending = { by: 'user' }): Inference {
  return inference(turns, { ending });
}

/** Returns turns that begin with the starting prompt. */
export function turnsOf(count: number): TurnInput[] {
  return Array.from({ length: count }, (_, index) => ({
    user: index === 0 ? 'start' : `message ${index + 1}`,
    answer: `answer ${index + 1}`,
  }));
}

/** The subject of a request to the judge. */
export interface Asked {
  /** The index of the message's turn, from 0, or the number of turns if the request is about the ending. */
  readonly turn: number;
  readonly isEnding: boolean;
  readonly sample: number;
}

/** Creates a judge from a function that returns a verdict, or a complete answer. */
export function turnJudge(says: (asked: Asked) => boolean | string | Partial<ModelAnswer>): ScriptedModel {
  return scriptedModel((request) => {
    const said = says(askedOf(request));
    return typeof said === 'boolean' ? perTurnAnswer(said) : said;
  });
}

/** Returns an answer in the requested format. */
export function perTurnAnswer(valid: boolean, reasoning = valid ? 'It does.' : 'It does not.'): string {
  return JSON.stringify({ criteria: [{ name: 'Keeps to the plan', reasoning, passes: valid }], is_valid: valid });
}

/** Finds the subject of a request in its text. */
export function askedOf(request: ModelRequest): Asked {
  const shown = shownIn(request);
  return {
    turn: [...shown.matchAll(/^Turn \d+$/gm)].length,
    isEnding: /^\[begin \w+: end of the conversation\]$/m.test(shown),
    sample: request.sample,
  };
}

/** Returns the text that a request shows to the judge. */
export function shownIn(request: ModelRequest | undefined): string {
  return request?.messages[0]?.parts?.[0]?.text ?? '';
}

export interface Scoring {
  readonly evalCase?: EvalCase;
  readonly inference: Inference;
  readonly judge: LanguageModel;
  /** The criterion's options other than the threshold. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Default 1. */
  readonly threshold?: number;
  readonly compat?: 'adk' | null;
}

/** Scores a case through core, from the config to the verdict. */
export async function scoreLed({
  evalCase = ledCase(),
  inference: happened,
  judge,
  options = {},
  threshold = 1,
  compat = null,
}: Scoring): Promise<{ scores: readonly Score[]; result: CaseResult; criterion: CriterionResult }> {
  const plan = resolveEvalConfig({
    evalSet: evalSet([evalCase]),
    config: { criteria: { [perTurnUserSimulatorQuality.name]: { threshold, ...options } } },
    registry: createRegistry([perTurnUserSimulatorQuality]),
    models: () => judge,
    compat,
    scoringOnly: true,
  });
  const scored = await scoreUnit(plan, unit(evalCase), happened);
  const result = summariseCase(plan, evalCase, [scored]);
  const [criterion] = result.criteria;
  if (criterion === undefined) throw new Error('the plan has one criterion');
  return { scores: scored.criteria[0]?.scores ?? [], result, criterion };
}

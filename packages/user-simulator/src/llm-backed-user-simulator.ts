import {
  type Content,
  type ConversationScenario,
  CriteriaError,
  contentText,
  type Problem,
  type Tools,
  toErrorInfo,
  type UserMove,
  type UserPersona,
} from '@agent-criteria/core';
import manifest from '../package.json' with { type: 'json' };
import { defineUserSimulator } from './define-user-simulator.ts';
import { historyText } from './history.ts';
import { askedAgain, personaTemplate, userRequest } from './llm-backed-prompt.ts';
import { findPersona } from './personas.ts';
import { type Reply, readReply } from './read-reply.ts';
import {
  customTemplate,
  type LlmBackedUserSimulatorOptions,
  llmBackedOptions,
  stopSignalOf,
} from './simulator-options.ts';
import { readStopSignal } from './stop-signal.ts';
import { atTurnLimit } from './turn-limit.ts';

/**
 * ADK's `llm_backed`, the default simulator for scenarios: a language model plays the user according to a plan and a
 * persona. It opens with the starting prompt, word for word, and asks the model for every message after that. The model
 * answers with a message, a flag that ends the conversation, and a reason. A message that comes with an ending is
 * delivered first. Nothing that the agent writes can end a conversation.
 *
 * A session throws CriteriaError CALL_FAILED if the model gives no message twice, and rethrows the model's errors.
 */
export const llmBackedUserSimulator = defineUserSimulator({
  name: 'llm_backed',
  origin: { package: manifest.name, version: manifest.version },
  options: llmBackedOptions,
  models: ({ model }) => [model],
  modelSettings: ({ modelConfiguration }) => modelConfiguration,
  check: checkScenario,
  open({ scenario }, options, tools) {
    const persona = findPersona(scenario.userPersona);
    /** The user's own messages, because an agent may record others. */
    const said: string[] = [];
    return {
      async next(soFar) {
        const limit = atTurnLimit(soFar.length, options.maxAllowedInvocations);
        if (limit !== null) return limit;
        if (soFar.length === 0) {
          said.push(scenario.startingPrompt);
          return { message: content(scenario.startingPrompt) };
        }
        const history = historyText(soFar, said, options.includeFunctionCalls);
        const reply = await askUser({ plan: scenario.conversationPlan, persona, history }, options, tools);
        if (reply.message !== null) said.push(reply.message);
        return nextOf(reply);
      },
    };
  },
});

interface Asked {
  readonly plan: string;
  readonly persona: UserPersona | null;
  readonly history: string;
}

/** Requests the user's next step. Asks once more if the answer is unusable. */
async function askUser(asked: Asked, options: LlmBackedUserSimulatorOptions, tools: Tools): Promise<Reply> {
  const stopSignal = stopSignalOf(options);
  const { customInstructions } = options;
  const custom = customInstructions === null ? null : customTemplate(customInstructions);
  const request = userRequest({ ...asked, stopSignal, custom, settings: options.modelConfiguration });
  const context = { stopSignal, shown: request.messages.map((one) => contentText(one)), history: asked.history };
  const model = tools.model(options.model);
  const first = await model.generate(request, tools.signal);
  const reading = readReply(first, context);
  if (!('problem' in reading)) return reading;
  tools.signal.throwIfAborted();
  const again = await model.generate(askedAgain(request, first, reading.problem), tools.signal);
  const second = readReply(again, context);
  if (!('problem' in second)) return second;
  throw new CriteriaError({
    code: 'CALL_FAILED',
    message: `the simulated user gave no message, twice: ${second.problem}`,
  });
}

function nextOf({ message, ends, reason }: Reply): UserMove {
  const ending = { by: 'user' as const, reason };
  if (message === null) return { ending };
  return ends ? { message: content(message), ending } : { message: content(message) };
}

function content(text: string): Content {
  return { role: 'user', parts: [{ text }] };
}

/** Lists problems in a scenario that would spoil its conversation, or prevent it from starting. */
function checkScenario(scenario: ConversationScenario, options: LlmBackedUserSimulatorOptions): readonly Problem[] {
  const { startingPrompt, conversationPlan, userPersona } = scenario;
  const problems: Problem[] = [];
  const say = (code: Problem['code'], message: string) => problems.push({ code, message });
  if (startingPrompt.trim() === '') {
    say('EMPTY', 'the starting_prompt is empty: write the message with which the user opens the conversation');
  }
  if (conversationPlan.trim() === '') {
    say('EMPTY', 'the conversation_plan is empty: write what the user wants and knows');
  }
  const stopSignal = stopSignalOf(options);
  if (readStopSignal(startingPrompt, stopSignal).found) {
    say(
      'INVALID_DATA',
      `the starting_prompt contains the stop signal ${JSON.stringify(stopSignal)}, which would end the conversation before it begins: remove it, or choose another stop_signal in user_simulator_config`,
    );
  }
  try {
    const persona = findPersona(userPersona);
    if (persona !== null) checkPersona(persona, options, say);
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    say(error.code, toErrorInfo(error).message);
  }
  return problems;
}

function checkPersona(
  { id, description, behaviors }: UserPersona,
  { customInstructions }: LlmBackedUserSimulatorOptions,
  say: (code: Problem['code'], message: string) => void,
): void {
  const name = `the persona ${JSON.stringify(id)}`;
  if (id.trim() === '') say('INVALID_DATA', 'the id of the persona is empty: give it a name');
  if (description.trim() === '' && behaviors.length === 0) {
    say('EMPTY', `${name} says nothing: give it a description, behaviors, or both`);
  }
  for (const behavior of behaviors) {
    const texts = [behavior.name, behavior.description, ...behavior.behaviorInstructions];
    for (const problem of texts.flatMap((text) => personaTemplate(text).problems)) {
      say('INVALID_DATA', `${name}, behaviour ${JSON.stringify(behavior.name)}, ${problem}`);
    }
  }
  if (customInstructions !== null && !customTemplate(customInstructions).names.has('persona')) {
    say(
      'INVALID_OPTION',
      `the scenario has ${name}, but custom_instructions do not contain {{ persona }}: add it to the template, or remove user_persona from the scenario`,
    );
  }
}

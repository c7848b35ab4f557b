import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalSet, scriptedModel } from '@agent-criteria/core/testing';
import type { EvalConfig } from '@agent-criteria/formats';
import { parseEvalConfig } from '@agent-criteria/formats/parse';
import { geminiModel } from '@agent-criteria/model-gemini/pure';
import { describe, expect, it } from 'vitest';
import { optionsOf, scenario } from './__fixtures__/conversations.ts';
import { llmBackedUserSimulator, perTurnUserSimulatorQuality } from './pure.ts';

const model = scriptedModel([]);

/** Resolves a config of the simulator, or throws its problems. */
function resolved(userSimulatorConfig: EvalConfig['userSimulatorConfig'] | object, of: object = {}) {
  return resolveEvalConfig({
    evalSet: evalSet([{ evalId: 'one', conversationScenario: { ...scenario, ...of } }]),
    config: {
      criteria: { per_turn_user_simulator_quality_v1: 1 },
      user_simulator_config: userSimulatorConfig,
    },
    registry: createRegistry([llmBackedUserSimulator, perTurnUserSimulatorQuality]),
    models: () => model,
  });
}

const asAdk = {
  model: 'gemini-2.5-flash',
  modelConfiguration: { thinkingConfig: { includeThoughts: true, thinkingBudget: 10240 } },
  maxAllowedInvocations: 20,
  customInstructions: null,
  includeFunctionCalls: false,
};
const template = 'Plan: {{ conversation_plan }} So far: {{ conversation_history }} End: {{ stop_signal }}';

describe('the options of llm_backed', () => {
  it("default to ADK's", () => {
    expect(optionsOf()).toEqual(asAdk);
    expect(optionsOf()).toMatchObject({ stopSignal: undefined });
    expect(resolved({}).simulator).toMatchObject({ simulator: { name: 'llm_backed' }, options: asAdk });
    expect(resolved({ type: null }).simulator?.options).toEqual(asAdk);
  });

  it('are read in either spelling', () => {
    const options = {
      model: 'gemini-2.5-pro',
      modelConfiguration: { temperature: 0.5, thinking_config: { thinking_budget: 5 } },
      maxAllowedInvocations: -1,
      customInstructions: template,
      includeFunctionCalls: true,
      stopSignal: 'STOP',
    };
    const snake = {
      type: 'llm_backed',
      model: options.model,
      model_configuration: options.modelConfiguration,
      max_allowed_invocations: -1,
      custom_instructions: template,
      include_function_calls: true,
      stop_signal: 'STOP',
    };
    expect(resolved(snake).simulator?.options).toEqual(options);
    expect(resolved(options).simulator?.options).toEqual(options);
  });

  it('set thinking by default for Gemini models only, unless configured', () => {
    for (const name of ['gemini-2.5-pro', 'models/gemini-2.5-flash']) {
      expect(optionsOf({ model: name }).modelConfiguration).toEqual(asAdk.modelConfiguration);
    }
    for (const name of ['openai/gpt-5', 'openrouter/google/gemini-2.5-pro', 'judge', 'own']) {
      expect(optionsOf({ model: name }).modelConfiguration).toEqual({});
    }
    expect(optionsOf({ modelConfiguration: {} }).modelConfiguration).toEqual({});
    expect(optionsOf({ modelConfiguration: null }).modelConfiguration).toEqual(asAdk.modelConfiguration);
  });

  it('reach the model: Gemini accepts the default and reports mistakes before the run', () => {
    const gemini = geminiModel({ model: 'gemini-2.5-flash', apiKey: 'test-key' });
    const settings = (written: object) => llmBackedUserSimulator.modelSettings?.(optionsOf(written)) ?? {};
    expect(() => gemini.checkSettings?.(settings({}))).not.toThrow();
    expect(() => gemini.checkSettings?.(settings({ modelConfiguration: { temprature: 1 } }))).toThrow(/temperature/);
    expect(llmBackedUserSimulator.models?.(optionsOf({ model: 'own' }))).toEqual(['own']);
  });

  it.each([
    ['no turn at all', { max_allowed_invocations: 0 }, 'max_allowed_invocations: 0 would end every conversation'],
    ['half a turn', { max_allowed_invocations: 1.5 }, 'max_allowed_invocations'],
    ['a model without a name', { model: ' ' }, 'model: a model needs a name'],
    ['an invisible signal', { stop_signal: ' ' }, 'stop_signal: a stop signal must not be blank'],
    ['a misspelt key', { max_allowed_invocation: 3 }, 'did you mean "max_allowed_invocations"'],
    ['an audio model', { audio_model: 'cloud_tts' }, 'audio_model: it configures spoken users (llm_audio)'],
    ['settings of an audio model', { audio_model_configuration: {} }, 'users are simulated in writing only'],
    ['text with audio', { includeTextWithAudio: true }, 'includeTextWithAudio: it configures spoken users'],
    [
      'a statement',
      { custom_instructions: `{% if x %}${template}` },
      'custom_instructions: line 1: templates are filled',
    ],
    ['a filter', { custom_instructions: `${template}{{ stop_signal | upper }}` }, 'is an expression'],
    [
      'an unknown placeholder',
      { custom_instructions: `${template}{{ weather }}` },
      'unknown placeholder {{ weather }}',
    ],
    [
      'no history',
      { custom_instructions: '{{ conversation_plan }}{{ stop_signal }}' },
      'without {{ conversation_history }}',
    ],
    ['no template', { custom_instructions: '' }, 'without {{ stop_signal }} and {{ conversation_plan }}'],
  ])('are rejected before the run if they contain %s', (_what, written, message) => {
    expect(() => resolved(written)).toThrow(message);
    expect(() => resolved(written)).toThrow('$.user_simulator_config');
    expect(model.requests).toEqual([]);
  });

  it('for spoken users are parsed, but rejected before the run', () => {
    const spoken = { type: 'llm_audio', model: 'x', audioModel: 'cloud_tts', includeTextWithAudio: false };
    const file = { criteria: {}, userSimulatorConfig: spoken };
    expect(parseEvalConfig(file).value.userSimulatorConfig).toEqual(spoken);
    expect(() => resolved(spoken)).toThrow('of the type "llm_audio"');
  });
});

describe('a scenario', () => {
  const persona = (more: object = {}) => ({ id: 'OWN', description: 'In a rush.', behaviors: [], ...more });
  const behavior = (instruction: string) => ({
    name: 'Brief',
    description: 'Few words.',
    behaviorInstructions: [instruction],
    violationRubrics: [],
  });

  it.each([
    ['no starting prompt', { startingPrompt: ' \n' }, {}, 'the starting_prompt is empty'],
    ['no plan', { conversationPlan: '' }, {}, 'the conversation_plan is empty'],
    [
      'the stop signal in the starting prompt',
      { startingPrompt: 'Say < /Finished> then' },
      {},
      'contains the stop signal "</finished>"',
    ],
    [
      'a custom stop signal in the starting prompt',
      { startingPrompt: 'Do STOP it' },
      { stop_signal: 'stop' },
      '"stop"',
    ],
    ['an unknown persona', { userPersona: 'novice' }, {}, 'did you mean "NOVICE"'],
    ['an empty persona', { userPersona: persona({ description: '' }) }, {}, 'the persona "OWN" says nothing'],
    ['a persona without an id', { userPersona: persona({ id: '' }) }, {}, 'the id of the persona is empty'],
    [
      'a statement in a persona',
      { userPersona: persona({ behaviors: [behavior('{% for x in y %}')] }) },
      {},
      'the persona "OWN", behaviour "Brief", line 1: templates are filled in, never executed',
    ],
    [
      'the placeholder of the plan in a persona',
      { userPersona: persona({ behaviors: [behavior('{{ conversation_plan }}')] }) },
      {},
      'line 1: unknown placeholder {{ conversation_plan }} (known: {{ stop_signal }})',
    ],
    [
      'a persona, but a template without a placeholder for it',
      { userPersona: 'EXPERT' },
      { custom_instructions: template },
      'do not contain {{ persona }}',
    ],
  ])('with %s is rejected with its path', (_what, of, options, message) => {
    expect(() => resolved(options, of)).toThrow(message);
    expect(() => resolved(options, of)).toThrow('$.eval_cases[0].conversation_scenario');
  });

  it('with every field has no problems', () => {
    const full = { userPersona: persona({ behaviors: [behavior('Then say {{ stop_signal }}. {# sic #}')] }) };
    expect(resolved({}, full).simulator).not.toBeNull();
    expect(resolved({ custom_instructions: `${template}{{ persona }}` }, full).simulator).not.toBeNull();
    expect(resolved({ custom_instructions: `${template}{{ persona }}` }).simulator).not.toBeNull();
    expect(resolved({ stop_signal: 'STOP' }, { startingPrompt: 'Say </finished>' }).simulator).not.toBeNull();
    for (const id of ['EXPERT', 'NOVICE', 'EVALUATOR'])
      expect(resolved({}, { userPersona: id }).simulator).not.toBeNull();
  });
});

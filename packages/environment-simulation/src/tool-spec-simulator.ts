import { CriteriaError, type LanguageModel, type ModelRequest, type State } from '@agent-criteria/core';
import type { SimulatedCall } from '@agent-criteria/core/host';
import type { EnvironmentSimulationConfig } from '@agent-criteria/formats';
import manifest from '../package.json' with { type: 'json' };
import { defineToolSimulator } from './define-tool-simulator.ts';
import { environmentState } from './environment-state.ts';
import { readJsonAnswer } from './read-json-answer.ts';
import { readConnections, type ToolConnections } from './tool-connections.ts';
import { askedAgain, connectionsRequest, responseRequest } from './tool-spec-prompt.ts';

/** ADK's default model. */
const DEFAULT_MODEL = 'gemini-2.5-flash';

/** ADK's default settings, for Gemini only. */
const THINKING: State = { thinkingConfig: { includeThoughts: false, thinkingBudget: 10_240 } };

/**
 * ADK's `MOCK_STRATEGY_TOOL_SPEC`: a language model plays the tool, by its declaration. With the first call of a session, it is asked
 * once how all tools of the agent depend on each other's state; then once for every call, with the values created and the calls
 * answered so far. The state belongs to the session.
 *
 * A call throws CriteriaError CALL_FAILED if the model gives no JSON object twice, or if the declaration of the tool is unknown, and
 * rethrows the model's errors.
 */
export const toolSpecSimulator = defineToolSimulator({
  name: 'MOCK_STRATEGY_TOOL_SPEC',
  origin: { package: manifest.name, version: manifest.version },
  models: (environment) => [modelOf(environment)],
  modelSettings: settingsOf,
  open({ environment, declarations }, tools) {
    const state = environmentState();
    const settings = settingsOf(environment);
    let connected: Promise<ToolConnections> | undefined;
    return {
      async answer(call) {
        const all = (await declarations()) ?? [];
        const declaration = all.find(({ name }) => name === call.tool);
        if (declaration === undefined) throw undeclared(call);
        const model = tools.model(modelOf(environment));
        const { signal } = tools;
        connected ??= ask(model, connectionsRequest(all, settings), signal, {
          read: readConnections,
          of: "the connections of the agent's tools",
        });
        const connections = await connected;
        const { created, calls } = state;
        const parts = { declaration, call, connections, created, calls, environment, settings };
        const response = await ask(model, responseRequest(parts), signal, {
          read: (value) => ({ response: value }),
          of: `the response of the simulated tool "${call.tool}"`,
        });
        state.add(call, response.response, connections);
        return response.response;
      },
    };
  },
});

/** Asks for an object, and once more if the answer is unusable. */
async function ask<T extends object>(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
  { read, of }: { readonly read: (value: State) => T | { readonly problem: string }; readonly of: string },
): Promise<T> {
  const readWhole = (answer: Awaited<ReturnType<LanguageModel['generate']>>): T | { readonly problem: string } => {
    const reading = readJsonAnswer(answer);
    return 'problem' in reading ? reading : read(reading.value);
  };
  const first = await model.generate(request, signal);
  const reading = readWhole(first);
  if (!isProblem(reading)) return reading;
  signal.throwIfAborted();
  const second = readWhole(await model.generate(askedAgain(request, first, reading.problem), signal));
  if (!isProblem(second)) return second;
  const message = `the model ${model.id} gave no usable answer for ${of}, twice: ${second.problem}`;
  throw new CriteriaError({ code: 'CALL_FAILED', message });
}

function isProblem(value: object): value is { readonly problem: string } {
  return 'problem' in value;
}

function modelOf({ simulationModel = DEFAULT_MODEL }: EnvironmentSimulationConfig): string {
  return simulationModel;
}

/** Returns Gemini's settings only for Gemini models, because others would reject them. */
function settingsOf(environment: EnvironmentSimulationConfig): State {
  const isGemini = /^(?:models\/|projects\/.+\/)?gemini-/.test(modelOf(environment));
  return environment.simulationModelConfiguration ?? (isGemini ? THINKING : {});
}

function undeclared({ tool }: SimulatedCall): CriteriaError {
  const message =
    `the declaration of the tool "${tool}" is unknown, so no model can play it: the agent must describe its tools, or answer with ` +
    'injection_configs or recorded calls instead';
  return new CriteriaError({ code: 'CALL_FAILED', message });
}

import type { EvalCase } from '@agent-criteria/core';
import { isObject, mockStrategyOf, stringifyJson } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';

/** Describes the stubs of a case, one line per response: `open_door({"door":3}) answers {"open":true}`. */
export function stubLines({ agentCriteria }: Pick<EvalCase, 'agentCriteria'>): readonly string[] {
  const configs = fieldOf(agentCriteria, 'tool_simulation_configs');
  return listOf(configs).flatMap((config) => {
    const tool = String(fieldOf(config, 'tool_name'));
    const type = fieldOf(config, 'mock_strategy_type');
    const isWritten = typeof type === 'string' || typeof type === 'number';
    const simulator = isWritten ? mockStrategyOf({ toolName: tool, mockStrategyType: type }) : null;
    const injected = listOf(fieldOf(config, 'injection_configs')).map((injection) => {
      const args = fieldOf(injection, 'match_args');
      const shown = isObject(args) && Object.keys(args).length > 0 ? stringifyJson(args) : 'any arguments';
      return `${tool}(${shown}) ${whatHappens(injection)}`;
    });
    const others = injected.length === 0 ? 'any arguments' : 'any other arguments';
    return simulator === null ? injected : [...injected, `${tool}(${others}) is simulated by ${simulator}`];
  });
}

function whatHappens(injection: unknown): string {
  const [error, response] = [fieldOf(injection, 'injected_error'), fieldOf(injection, 'injected_response')];
  const latency = fieldOf(injection, 'injected_latency_seconds');
  const chance = fieldOf(injection, 'injection_probability');
  const what = isObject(error)
    ? `fails with ${String(fieldOf(error, 'injected_http_error_code'))}: ${String(fieldOf(error, 'error_message'))}`
    : isObject(response)
      ? `answers ${stringifyJson(response)}`
      : 'calls the real tool';
  return [
    what,
    ...(typeof latency === 'number' && latency > 0 ? [`after ${latency} s`] : []),
    ...(typeof chance === 'number' && chance < 1 ? [`with a chance of ${chance}`] : []),
  ].join(', ');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

import { sumTokens } from '@agent-criteria/core/usage';
import type { Attributes } from '@opentelemetry/api';
import type { EndedCall } from '../engine/call-tools.ts';

/** Returns the attributes of a model call. Unknown values get no attribute. */
export function callAttributes({ target, caller, usage, finish }: EndedCall): Attributes {
  const { input_tokens, output_tokens } = sumTokens([usage]);
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': target,
    'agent_criteria.caller': caller,
    ...(input_tokens === null ? {} : { 'gen_ai.usage.input_tokens': input_tokens }),
    ...(output_tokens === null ? {} : { 'gen_ai.usage.output_tokens': output_tokens }),
    ...(finish === undefined ? {} : { 'gen_ai.response.finish_reasons': [finish] }),
  };
}

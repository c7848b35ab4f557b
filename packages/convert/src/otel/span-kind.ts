import { type TraceSpan, textAt } from './trace-span.ts';

/** The part of an agent's work that a span records. */
export type SpanKind = 'agent' | 'model' | 'tool';

const OPERATIONS: Readonly<Record<string, SpanKind>> = {
  invoke_agent: 'agent',
  invoke_workflow: 'agent',
  chat: 'model',
  generate_content: 'model',
  text_completion: 'model',
  execute_tool: 'tool',
};

const GENKIT: Readonly<Record<string, SpanKind>> = { flow: 'agent', model: 'model', tool: 'tool' };
const OPEN_INFERENCE: Readonly<Record<string, SpanKind>> = { AGENT: 'agent', LLM: 'model', TOOL: 'tool' };
const TRACELOOP: Readonly<Record<string, SpanKind>> = { agent: 'agent', workflow: 'agent', tool: 'tool' };

/**
 * Recognises a span by the conventions of OpenTelemetry for generative AI, and by the names of ADK, of the AI SDK before
 * these conventions, of OpenInference, of OpenLLMetry and of Genkit. Returns `null` for any other span.
 */
export function kindOf(span: TraceSpan): SpanKind | null {
  const operation = textAt(span, 'gen_ai.operation.name');
  if (operation !== undefined) return Object.hasOwn(OPERATIONS, operation) ? (OPERATIONS[operation] ?? null) : null;
  const ofAiSdk = textAt(span, 'ai.operationId');
  if (ofAiSdk !== undefined) {
    if (ofAiSdk === 'ai.toolCall') return 'tool';
    if (/\.do(?:Generate|Stream)$/.test(ofAiSdk)) return 'model';
    return /^ai\.(?:generate|stream)(?:Text|Object)$/.test(ofAiSdk) ? 'agent' : null;
  }
  const inference = textAt(span, 'openinference.span.kind')?.toUpperCase();
  if (inference !== undefined)
    return Object.hasOwn(OPEN_INFERENCE, inference) ? (OPEN_INFERENCE[inference] ?? null) : null;
  const traceloop = textAt(span, 'traceloop.span.kind');
  if (traceloop !== undefined) return Object.hasOwn(TRACELOOP, traceloop) ? (TRACELOOP[traceloop] ?? null) : null;
  const genkit = textAt(span, 'genkit:metadata:subtype');
  if (genkit !== undefined) return Object.hasOwn(GENKIT, genkit) ? (GENKIT[genkit] ?? null) : null;
  // ADK names its model calls so, and sets no operation.
  if (span.name === 'call_llm') return 'model';
  return span.attributes.has('llm.request.type') || span.attributes.has('gen_ai.completion.0.content') ? 'model' : null;
}

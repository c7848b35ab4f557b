import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import { openTelemetrySpans } from './otel.ts';
import { run } from './run.ts';

it('openTelemetrySpans() reports a run as nested spans, including the result of every criterion', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const cases = ['right', 'wrong', 'down'].map((id) => evalCase(id, [{ user: id, answer: 'right' }]));
  const config = { criteria: { response_match_score: 1 } };
  const plan = resolveEvalConfig({ evalSet: evalSet(cases), config, registry: createRegistry([responseMatch]) });
  const agent = (message: string) => {
    if (message === 'down') throw new Error('the agent is down');
    return message;
  };
  const onEvent = openTelemetrySpans(provider.getTracer('test'));
  await run({ sets: [{ plan, file: null, configFile: null }], agent, onEvent });

  const spans = exporter.getFinishedSpans();
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const path = (span: (typeof spans)[number]): string => {
    const parent = byId.get(span.parentSpanContext?.spanId ?? '');
    return `${parent === undefined ? '' : `${path(parent)} > `}${span.name}`;
  };
  expect(spans.map(path).sort()).toEqual([
    'evaluate',
    ...Array(3).fill('evaluate > evaluate case'),
    ...Array(3).fill('evaluate > evaluate case > invoke_agent'),
    ...Array(2).fill('evaluate > evaluate case > score'),
  ]);
  const caseSpan = (id: string) => spans.find((span) => span.attributes['agent_criteria.eval_case.id'] === id);
  expect(caseSpan('right')?.events[0]).toMatchObject({
    name: 'gen_ai.evaluation.result',
    attributes: {
      'gen_ai.evaluation.name': 'response_match_score',
      'gen_ai.evaluation.score.value': 1,
      'gen_ai.evaluation.score.label': 'passed',
    },
  });
  expect(caseSpan('wrong')?.attributes).toMatchObject({ 'agent_criteria.verdict': 'failed' });
  expect(caseSpan('down')).toMatchObject({
    events: [],
    status: { code: 2, message: expect.stringContaining('the agent is down') },
  });
  const started = spans.find((span) => span.name === 'evaluate');
  expect(started?.attributes).toMatchObject({ 'agent_criteria.verdict': 'failed', 'agent_criteria.finished': true });
});

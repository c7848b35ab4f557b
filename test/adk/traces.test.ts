// Isolated: it registers a tracer provider for the process.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adkAgent } from '@agent-criteria/agent-adk/pure';
import { importCases } from '@agent-criteria/convert';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { evaluate } from '@agent-criteria/runner';
import { FunctionTool, LlmAgent } from '@google/adk';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { expect, it } from 'vitest';
import { ScriptedModel } from './fixtures/scripted-model.ts';
import { converse } from './fixtures/sessions.ts';

it('a trace that ADK exports becomes a case that the same agent passes, and another one fails', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  const agentThatRolls = (sides: number) => () =>
    new LlmAgent({
      name: 'dice',
      model: new ScriptedModel([{ call: 'roll', args: { sides } }, 'You rolled 4.', 'You are welcome.']),
      tools: [new FunctionTool({ name: 'roll', description: 'Rolls.', execute: () => ({ value: 4 }) })],
    });
  await converse(adkAgent(agentThatRolls(6)), ['Roll a die.', 'Thank you.']);
  const exported = JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans());
  await provider.shutdown();
  const file = join(mkdtempSync(join(tmpdir(), 'traces-')), 'traces.json');
  writeFileSync(file, Buffer.from(exported ?? []));
  const { evalSet, losses } = await importCases({ files: [file] });
  expect(losses).toEqual([]);
  expect(evalSet.evalCases.map(({ conversation }) => conversation?.length)).toEqual([2]);

  const config = {
    plugins: [toolTrajectory, responseMatch],
    criteria: { tool_trajectory_avg_score: 1, response_match_score: 1 },
  };
  const judged = (sides: number) => evaluate({ agent: adkAgent(agentThatRolls(sides)), evalSet, config });
  expect((await judged(6)).verdict).toBe('passed');
  expect((await judged(20)).verdict).toBe('failed');
});

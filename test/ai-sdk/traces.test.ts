// Isolated: it registers a tracer provider for the process.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aiSdkAgent } from '@agent-criteria/agent-ai-sdk/pure';
import { importCases } from '@agent-criteria/convert';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { evaluate } from '@agent-criteria/runner';
import { OpenTelemetry } from '@ai-sdk/otel';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { registerTelemetry } from 'ai-7';
import { afterAll, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { majors } from './fixtures/majors.ts';
import { scriptedModel, toolCall } from './fixtures/scripted-model.ts';
import { converse } from './fixtures/sessions.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
registerTelemetry(new OpenTelemetry());
beforeEach(() => exporter.reset());
afterAll(() => provider.shutdown());

it.each(majors)(
  'a trace that AI SDK $major exports becomes a case that the same agent passes, and another one fails',
  async (major) => {
    const { ai } = major;
    const roll = ai.tool({
      description: 'Rolls a die.',
      inputSchema: z.object({ sides: z.number() }),
      execute: async () => ({ value: 4 }),
    });
    // Version 6 switches its traces on in each call; version 7 does so for the process.
    const traced = major.major === 6 ? { experimental_telemetry: { isEnabled: true, functionId: 'dice' } } : {};
    const agentThatRolls = (sides: number) =>
      aiSdkAgent(
        new ai.ToolLoopAgent({
          id: 'dice',
          model: scriptedModel(major, ({ prompt }) => {
            if (JSON.stringify(prompt).includes('Thank you.')) return 'You are welcome.';
            return prompt.at(-1)?.role === 'tool' ? 'You rolled 4.' : [toolCall('roll', { sides })];
          }),
          tools: { roll },
          ...traced,
        }),
      );
    await converse(agentThatRolls(6), ['Roll a die.', 'Thank you.']);
    const file = join(mkdtempSync(join(tmpdir(), 'traces-')), 'traces.json');
    writeFileSync(file, Buffer.from(JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans()) ?? []));
    const { evalSet, losses } = await importCases({ files: [file] });
    expect(losses).toEqual([]);
    expect(evalSet.evalCases.map(({ conversation }) => conversation?.length)).toEqual([2]);

    const config = {
      plugins: [toolTrajectory, responseMatch],
      criteria: { tool_trajectory_avg_score: 1, response_match_score: 1 },
    };
    const judged = (sides: number) => evaluate({ agent: agentThatRolls(sides), evalSet, config });
    expect((await judged(6)).verdict).toBe('passed');
    expect((await judged(20)).verdict).toBe('failed');
  },
);

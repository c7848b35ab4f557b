import { startFakeGemini } from '@agent-criteria/test-servers';
import { expect, it } from 'vitest';
import { geminiModel } from '../../packages/model-gemini/src/gemini-model.ts';

it('requests by @google/genai 3 go to the API version that model-gemini sets', async () => {
  const server = await startFakeGemini();
  try {
    const model = geminiModel({ model: 'gemini-2.5-flash', apiKey: 'test-key', baseUrl: server.url });
    const messages = [{ role: 'user', parts: [{ text: 'Is it so?' }] }];
    await model.generate({ messages, sample: 0 }, new AbortController().signal);
    const [request] = server.requests;
    expect(request?.path).toContain('/v1beta/');
    expect(request?.headers['user-agent']).toMatch(/google-genai-sdk\/3\./);
  } finally {
    await server.close();
  }
});

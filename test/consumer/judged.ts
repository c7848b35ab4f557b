import '@agent-criteria/criteria-llm-judge';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { geminiModel } from '@agent-criteria/model-gemini';
import { callPolicies } from '@agent-criteria/models';
import { evaluate } from '@agent-criteria/runner';

// Takes the place of Gemini. The client is Google's SDK, called through all policies.
const text = JSON.stringify({ reasoning: 'It says the same.', is_the_agent_response_valid: 'valid' });
const answer = { candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] };
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const judge = geminiModel({ model: 'gemini-2.5-flash', apiKey: 'test-key', vertex: false, baseUrl });
const policies = await callPolicies({ cache: false, maxRetries: 0 });
const message = (role: string, said: string) => ({ role, parts: [{ text: said }] });
const turn = { userContent: message('user', 'Light on!'), finalResponse: message('model', 'The light is on.') };
const { cases } = await evaluate({
  agent: () => 'It is on.',
  evalSet: { evalSetId: 'lights', evalCases: [{ evalId: 'kitchen', conversation: [turn] }] },
  config: { criteria: { final_response_match_v2: 1 } },
  models: () => judge,
  policies,
});
console.log(JSON.stringify([cases[0]?.verdict, cases[0]?.reason, policies.spent().calls]));
await policies.close();
server.close();
server.closeAllConnections();

/**
 * Fakes of model services on 127.0.0.1, for use with the real clients. Private to the workspace; depends only on
 * node:http.
 *
 *     const gemini = await startFakeGemini({
 *       answer: fittingAnswer((path, asked) => (path === '$.verdict' && asked.sample > 2 ? 'invalid' : undefined)),
 *       faults: [geminiFaults.rateLimit(1), null, geminiFaults.cutSocket], // of the first, second, third request
 *       latency: 200,
 *     });
 *     process.env.GOOGLE_GEMINI_BASE_URL = gemini.url; // and GEMINI_API_KEY=test-key
 *     …
 *     gemini.requests[0].body; gemini.connections; gemini.mostAtOnce;
 *     await gemini.close();
 *
 * `startFakeAdkServer` is ADK's REST server, in the dialects of its languages; its agents are functions from a message
 * to events.
 *
 * `startFakeEvaluationService` is Vertex AI's evaluation service, and `startFakeCredentials` where Google's auth
 * libraries get its token.
 *
 * `answer` is the model: a function that maps the question to a string, to a text with its stop reason and usage,
 * or to a fault. Without one, every answer fits the schema that was sent. `startFakeOpenAi` is the same at
 * `url + '/v1'`.
 */
export { type Answer, type Asked, fittingAnswer, type Said, type Usage } from './answers.ts';
export {
  type AdkAsked,
  type AdkDialect,
  type FakeAdkAgent,
  type FakeAdkOptions,
  type FakeAdkServer,
  type FakeAdkSession,
  says,
  startFakeAdkServer,
} from './fake-adk-server.ts';
export { type FakeCredentials, type FakeCredentialsOptions, startFakeCredentials } from './fake-credentials.ts';
export {
  type Evaluation,
  type EvaluationAsked,
  type FakeEvaluationServiceOptions,
  startFakeEvaluationService,
} from './fake-evaluation-service.ts';
export { type FakeGeminiOptions, startFakeGemini } from './fake-gemini.ts';
export { type FakeOpenAiOptions, startFakeOpenAi } from './fake-open-ai.ts';
export { type Fault, faults, geminiFaults, googleError, openAiError, openAiFaults, type Reply } from './faults.ts';
export { type FakeServer, type SeenRequest, type ServerOptions, startServer } from './http-server.ts';
export { schemaInstance } from './schema-instance.ts';

export { gemini } from './gemini.ts';
export { type GeminiModelOptions, geminiModel } from './gemini-model.ts';

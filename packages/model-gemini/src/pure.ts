export { type GeminiModelOptions, gemini, geminiModel } from './gemini-model.ts';

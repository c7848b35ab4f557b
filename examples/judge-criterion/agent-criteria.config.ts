import { defineConfig } from '@agent-criteria/cli';
import { scriptedJudge } from './scripted-judge.ts';

// A real project names a model here, as judgeModel: 'gemini-2.5-flash' or 'ollama/qwen3:8b', and has no scripted judge.
export default defineConfig({
  models: { 'scripted-judge': scriptedJudge },
  judgeModel: 'scripted-judge',
  cache: false,
});

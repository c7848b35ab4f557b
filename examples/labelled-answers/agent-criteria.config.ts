import { defineConfig } from '@agent-criteria/cli';
import { scriptedJudge } from './scripted-judge.ts';

// A real project names a model here, as judgeModel: 'gemini-2.5-flash'.
export default defineConfig({
  models: { 'scripted-judge': scriptedJudge },
  judgeModel: 'scripted-judge',
  cache: false,
});

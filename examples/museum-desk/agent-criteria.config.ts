import { defineConfig } from '@agent-criteria/cli';
import { scriptedJudge } from './scripted-judge.ts';

// A real project names a model here, as judgeModel: 'gemini-2.5-flash', and its recording holds what that model said.
export default defineConfig({
  models: { 'scripted-judge': scriptedJudge },
  judgeModel: 'scripted-judge',
  recording: { file: 'judge.recording.jsonl', mode: 'replay', label: 'what a scripted judge said, not a model' },
});

import { defineConfig } from '@agent-criteria/cli';
import { scriptedJudge, scriptedVisitor } from './scripted-models.ts';

// A real project names models here, as judgeModel: 'gemini-2.5-flash', or none: that is the default.
export default defineConfig({
  models: { 'scripted-visitor': scriptedVisitor, 'scripted-judge': scriptedJudge },
  judgeModel: 'scripted-judge',
  cache: false,
});

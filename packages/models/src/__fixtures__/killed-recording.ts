// A process that records five answers and is killed before it closes the recording: `node killed-recording.ts FILE`.
import { openRecording } from '../recording.ts';
import { withRecording } from './wrappers.ts';
import { answer, ask, caller, modelOf, signal } from './calls.ts';

const recording = await openRecording({ file: process.argv[2] ?? '', mode: 'auto' });
const model = modelOf(async () => answer());
for (let turn = 0; turn < 5; turn += 1) {
  await withRecording(model, recording, caller({ turn })).generate(ask(`question ${turn}`), signal());
}
process.kill(process.pid, 'SIGKILL');

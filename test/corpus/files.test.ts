import { replays } from './replay.ts';

replays('files');

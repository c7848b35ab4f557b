export * from '@agent-criteria/cli';

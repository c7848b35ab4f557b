export * from '@agent-criteria/report/terminal';

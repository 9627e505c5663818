/** Commands that a tooltip may run: they open and copy, none of them decides anything. */
export const COMMAND_IDS = {
  openJob: 'delegationBridge.openJob',
  openLog: 'delegationBridge.openLog',
  reviewJob: 'delegationBridge.reviewJob',
  openWorktree: 'delegationBridge.openWorktree',
  copyReceipt: 'delegationBridge.copyReceipt',
} as const;

export type LinkedCommand = keyof typeof COMMAND_IDS;

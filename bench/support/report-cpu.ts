import cluster from 'node:cluster';

/** Loaded before the product: answers each message of the parent process with the processor time used so far. */
if (cluster.isPrimary) {
  process.on('message', () => process.send?.(process.cpuUsage()));
  // The product may end while the channel is open.
  process.channel?.unref();
}

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { EventListener } from '../actors/event-listener.ts';
import { until } from '../support/runs/waiting.ts';
import { type Instances, startInstances } from '../support/servers/instances.ts';
import type { TestStore } from '../support/servers/server.ts';
import { HistoryWriter } from '../support/stores/history-writer.ts';

const STORES: TestStore[] = ['sqlite', 'redis', 'redis-cluster'];

for (const store of STORES)
  describe(`Streams of two instances on one ${store}`, () => {
    let instances: Instances;
    let writer: HistoryWriter;
    before(async () => {
      instances = await startInstances({ store });
      writer = await HistoryWriter.open(instances.servers[0].settings);
    });
    after(async () => {
      await writer.close();
      await instances.close();
    });

    it('an event of a third process is seen at both within a second, and a reader goes on at the other one', async () => {
      const session = randomUUID();
      await writer.report(session, 'credential_offer_created');
      const [one, other] = instances.servers;
      const listeners = [await EventListener.open(one, session), await EventListener.open(other, session)];
      await until(() => listeners.every(({ ids }) => ids.length === 1));
      await writer.report(session, 'credential_offer_retrieved', 'nonce_request_succeeded');
      for (const { clock } of instances.servers) clock.advance(1000);
      await until(() => listeners.every(({ ids }) => ids.length === 3));
      listeners[0]?.leave();
      await writer.report(session, 'issuance_status_changed');
      const continued = await EventListener.open(other, session, { headers: { 'last-event-id': '3' } });
      await until(() => continued.ids.length === 1);
      expect([...(listeners[0]?.ids ?? []), ...continued.ids]).to.deep.equal([1, 2, 3, 4]);
      for (const listener of [...listeners, continued]) listener.leave();
    });
  });

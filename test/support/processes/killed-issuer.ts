import { once } from 'node:events';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { makeOffer } from '../../actors/issuance.ts';
import { credentialRequest, proofOf, redeem, requestCredential } from '../../actors/wallet.ts';
import { startServer } from '../servers/server.ts';
import { DeadlyStore, type Death } from '../stores/deadly-store.ts';

/** Where the process of an issuer dies by SIGKILL: at a write of an event log. */
export interface IssuerPlan extends Pick<Death, 'write' | 'when'> {
  dataDir: string;
  callbackUrl: string;
}

/** What a wallet has at the issuer that will die. */
export interface IssuerHandover {
  /** The public URL. */
  url: string;
  code: string;
  /** Absent while the code is not redeemed. */
  access?: { token: string; request: object };
}

const LOGS = 'issuance-event-logs';

process.once('disconnect', () => process.exit());
process.once('message', async (plan: IssuerPlan) => {
  const { dataDir, callbackUrl } = plan;
  const server = await startServer({
    store: 'sqlite',
    dataDir,
    wrapStore: (store) => new DeadlyStore(store, { ...plan, collection: LOGS }),
  });
  const issuer = await onboard(server);
  const headers = { statusCallbackUri: `${callbackUrl}/events/$id` };
  const { code } = await makeOffer(server, degree(issuer), { headers });
  const handOver = async (handover: IssuerHandover): Promise<void> => {
    process.send?.(handover);
    await once(process, 'message');
  };
  if (plan.write < 4) await handOver({ url: server.url, code });
  const { body } = await redeem(server, code);
  const request = credentialRequest(proofOf(server, makeHolderKey(), { nonce: body.c_nonce }));
  await handOver({ url: server.url, code, access: { token: body.access_token, request } });
  await requestCredential(server, body.access_token, request);
});

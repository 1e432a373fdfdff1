import { gunzipSync } from 'node:zlib';
import { bitstring, encodeList, serveStatusList, statusEntry } from '../../demo/actors/status-list.ts';
import { didJwk } from '../../domain/dids/did-methods.ts';
import { update } from '../../domain/foundation/records.ts';
import { decodeList } from '../../domain/status/status-lists.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';
import { encode, load } from '../support/load.ts';
import { ORDER, USUAL_SIZE } from '../support/orders-document.ts';
import { benchPlatform } from '../support/platform.ts';
import { configFolder, serveOrders, serveProduct } from '../support/servers.ts';

const WARM_UP = 10;
const ENTRIES = 1000;
/** The entries of the decoded list, and how far the set ones are apart. */
const [LIST_BITS, STEP] = [2 ** 20, 97];

const post = (target: string, body: object) =>
  encode({ method: 'POST', target, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** The status check over HTTP with its list in the cache, beside a POST of 1 KB to the edge alone. */
export async function statusCheck(): Promise<Line[]> {
  const { keys } = await benchPlatform();
  const key = await keys.create('jwk', { keyType: 'secp256r1' });
  const issuer = didJwk(key.publicJwk);
  const list = await serveStatusList({ issuerDid: issuer, signer: keys.signer(key), revoked: [7] });
  const [server, edge] = await Promise.all([
    serveProduct({ folder: configFolder({ outbound: { allow: ['127.0.0.1'] } }) }),
    serveOrders({ name: 'support/edge-server', size: USUAL_SIZE }),
  ]);
  const check = post('/v1/revocations/check', {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiableCredential'],
    issuer,
    issuanceDate: '2026-01-01T00:00:00Z',
    credentialSubject: { id: 'did:example:holder' },
    credentialStatus: statusEntry(list.url, 7),
  });
  const order = post('/orders', ORDER);
  const slices = { ours: load(server, () => check), bare: load(edge, () => order) };
  const { ours, bare } = await interleave(slices, { warmUp: WARM_UP });
  await Promise.all([server.close(), edge.close(), list.close()]);
  const work = 'status check, list cached, HTTP';
  return [compared({ work, named: 'POST of 1 KB to the edge', goal: { atLeast: 0.5 } }, ours, bare)];
}

/** A list of a million entries decoded, beside gunzip of the same bytes. */
export async function statusDecode(): Promise<Line[]> {
  const set = Array.from({ length: Math.floor(LIST_BITS / STEP) }, (_, n) => n * STEP);
  const text = encodeList(bitstring(set, LIST_BITS));
  const { ours, bare } = await interleave({
    ours: repeat(() => decodeList(text, 'StatusList2021Entry')),
    bare: repeat(() => gunzipSync(Buffer.from(text, 'base64url'))),
  });
  const work = 'status list of 2^20 entries decoded';
  return [compared({ work, named: 'gunzip', goal: { atLeast: 0.5 } }, ours, bare)];
}

/** A thousand entries suspended, or lifted, in one call, beside one update of a record for each in the same store. */
export async function statusChange(): Promise<Line[]> {
  const { issuedLists, keys, store } = await benchPlatform();
  const key = await keys.create('jwk', { keyType: 'secp256r1' });
  const signer = { issuer: 'did:example:issuer', kid: 'did:example:issuer#0', key };
  const choice = { kind: 'TokenStatusListJwt', bits: 2 } as const;
  const names = { session: 'session' };
  await issuedLists.entries.allocate({ target: '', choice, signer, names }, ENTRIES);
  const records = store.collection<{ value: number }>({
    name: 'bench',
    listed: false,
    sealed: true,
    afterRestore: 'kept',
  });
  const ids = Array.from({ length: ENTRIES }, (_, n) => String(n));
  await Promise.all(ids.map((id) => records.insert({ id, value: { value: 0 } })));
  let turn = 0;
  const change = () => {
    turn += 1;
    return issuedLists.changes.changeNamed('', names, { action: turn % 2 === 1 ? 'suspend' : 'lift' });
  };
  const rewrite = () => {
    const next = ({ value }: { value: number }) => ({ value: value + 1 });
    return Promise.all(ids.map((id) => update({ collection: records, key: { id }, change: next })));
  };
  const { ours, bare } = await interleave({ ours: repeat(change), bare: repeat(rewrite) });
  const named = 'one update of a record for each';
  return [compared({ work: '1,000 entries changed with history, memory', named }, ours, bare)];
}

import { operation, type Operation } from '../contract/operation.ts';
import { hashRequest, hashResult } from './contract.ts';
import { hashText, writeHash } from './hash.ts';

/** POST /api/v1/hash */
export const hashOperation: Operation = operation({
  path: '/api/v1/hash',
  summary: 'MD5, SHA-256 and Base64 of a text in UTF-8',
  body: 'text',
  request: hashRequest,
  result: hashResult,
  example: {
    request: { text: 'Xin chào' },
    result: {
      input: 'Xin chào',
      md5: 'd507cf86fa25f6787e3fc5e5d61e00a3',
      sha256: '117ae605a3a02bf47978fba60ef2bf4a08a73eb34b0124d9a1a088c8cab6d9de',
      base64_encoded: 'WGluIGNow6Bv',
    },
  },
  calculate: hashText,
  write: writeHash,
});

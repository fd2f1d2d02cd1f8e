/* The words of heads: fields, types and units. */
import { TEXTS } from '../texts.ts';
import { calculator } from '../salary.ts';

/**
 * Heads that are taken without a question, in letters without marks, besides the names of the
 * fields and their labels.
 */
const EXACT: Readonly<Record<string, RegExp>> = {
  income: /^(?:luong)?(?:gross|net)$|^(?:gross|net)salary$/,
  dependents: /^(?:so)?npt$|^nguoiphuthuoc$|^dependants$/,
  period: /^(?:thang|month)$/,
  region: /^vung$/,
  insurance_salary: /^luongdongbhxh$/,
};

/** Heads whose columns are asked about. */
const LIKELY: Readonly<Record<string, RegExp>> = {
  income: /luong|thunhap|linh|lanh|gross|net|salar|wage|pay|income|earning/,
  type: /grossnet|loailuong/,
  dependents: /npt|phuthuoc|nguoipt|depend/,
  period: /thangluong|thangtinh|kyluong|month(?!ly)|period/,
  region: /vung|khuvuc|region/,
  insurance_salary: /bh|baohiem|insur/,
  taxation: /cutru|residen|loaihopdong|loaihd|contracttype/,
  uninsured: /^(?:co|khong)?(?:dong|thamgia)(?:bh|baohiem)|insured$/,
  foreigner: /nuocngoai|quoctich|foreign|national/,
  exempt_income: /mienthue|khong(?:chiu|tinh)thue|taxfree|nontax|exempt/,
  paid_in: /ngaytra|thangtra|paid|payment/,
  voluntary_pension: /huutri|pension/,
};

const NAME = new RegExp(
  '^(?:(?:ho(?:va)?)?ten(?:nhanvien|nv|nld)?|ho(?:va)?(?:(?:ten)?(?:dem|lot))?|tendem|nhanvien'
    + '|nguoi(?:laodong|huongluong)?'
    + '|(?:full|employee|staff|first|last|middle|given|family)?names?|surname|employees?)$',
);

const CODE = new RegExp(
  '^(?:(?:ma|maso|ms|sothe)(?:nv|nhanvien|nld|cbnv|cnv)?|(?:employee|emp|staff)?(?:id|code)'
    + '|(?:employee|emp|staff|pers)(?:no|number)|(?:mst|masothue)(?:canhan)?|taxcode'
    + '|(?:so)?(?:cccd|cmnd))$',
);

/** The heads of further columns with which no amount changes. */
const HARMLESS = new RegExp(
  '^(?:s?tt|no|number|(?:so|ten)?(?:tk|taikhoan)(?:nganhang|nh)?|stk|(?:ten)?nganhang'
    + '|bank(?:name|account)?|accountnumber|sdt|sodienthoai|phone(?:number)?|email'
    + '|ngaysinh|gioitinh|dateofbirth|gender|diachi|address)$',
);

/** The heads of groups, positions and signatures, which may say something about the insurance or the tax. */
const GROUP = new RegExp(
  '^(?:phongban|phong|bophan|donvi|chinhanh|department|dept|team|branch'
    + '|kynhan|kyten|chuky|signature|vitri|chucvu|chucdanh|position|jobtitle|title)$',
);

const FOREIGN =
  /[$€£¥]|\b(?:usd|eur|gbp|jpy|krw|sgd|cny|rmb|thb|twd|hkd|aud|chf|dollars?|euros?)\b/;

const THOUSANDS = /nghin|ngan|1[.,]?000|thousand|\bk(?:vnd)?\b/;
const MILLIONS = /trieu|million|\btr\b|10\^?6/;

/** With its marks, because "đóng" is to pay; in brackets, because "hợp đồng" is a contract. */
const DONG = /[([][^)\]]*(?:đồng|đ)\s*[)\]/]|vnđ|vnd|₫/;

/** A text in small letters without marks. */
export function plain(text: string): string {
  const letters = text.slice(0, 200).normalize('NFD').toLowerCase().replaceAll('đ', 'd');
  return letters.replace(/\p{M}/gu, '');
}

/** The letters and digits of a text. */
export function lettersOf(text: string): string {
  return plain(text).replace(/[^a-z\d]/g, '');
}

/** The names in a head, which may be in two languages. */
function namesIn(head: string): string[] {
  const names = head.split(/[/()|]/).map(lettersOf);
  return names.filter((name) => name !== '');
}

const isAll = (head: string, isOne: (name: string) => boolean): boolean => {
  const names = namesIn(head);
  return names.length > 0 && names.every(isOne);
};

/** A remark that has only a unit. */
const UNIT_REMARK =
  /[([](?:dvt|in|nghin|ngan|1[.,]?000|k|thousand|trieu|tr|million|of|d|dong|vnd|[₫sx:/\s])+[)\]]/;

/** The letters of a head without its unit. Another remark, such as (after tax), stays. */
function keyOf(head: string): string {
  return lettersOf(plain(head).replace(UNIT_REMARK, ''));
}

/** Whether a head is that of a field for certain. */
export function isExact(field: string, head: string): boolean {
  const key = keyOf(head);
  const names = [field, ...(TEXTS[field] ?? [])].map(lettersOf);
  return names.includes(key) || EXACT[field]?.test(key) === true;
}

/** Whether a head may be that of a field. */
export function isLikely(field: string, head: string): boolean {
  return isExact(field, head) || LIKELY[field]?.test(lettersOf(head)) === true;
}

/** Whether a head is that of a sum with the salary. */
export function isTotal(head: string): boolean {
  return /^tong(?:thunhap|luong|tien|cong)|^thunhapchiuthue|^total|^taxableincome/.test(
    keyOf(head),
  );
}

/** Whether a head is that of the names of people. */
export function isName(head: string): boolean {
  return isAll(head, (name) => NAME.test(name));
}

/** Whether a head is that of the codes of employees. */
export function isCode(head: string): boolean {
  return isAll(head, (name) => CODE.test(name));
}

/** Whether the column of a head cannot change an amount. */
export function isHarmless(head: string): boolean {
  return isAll(head, (name) => [NAME, CODE, HARMLESS].some((words) => words.test(name)));
}

/** Whether a text is the head of a column without a field. */
export function isOther(head: string): boolean {
  return isHarmless(head) || isAll(head, (name) => GROUP.test(name));
}

/** Whether a text in small letters has the word of another currency. */
export function isForeign(text: string): boolean {
  return FOREIGN.test(text);
}

/** Whether a head is that of some field for certain. */
export function isKnown(head: string): boolean {
  return calculator.fields.some(({ name }) => isExact(name, head));
}

/** The type of the salaries under a head that states one. */
export function typeIn(head: string): string | undefined {
  const [type, ...others] = new Set(plain(head).match(/\b(?:gross|net)\b/g) ?? []);
  return others.length === 0 ? type : undefined;
}

/** The unit of the amounts under a head, in đồng: '' for none, and undefined for another currency. */
export function unitIn(head: string): string | undefined {
  const words = plain(head);
  const isThousands = THOUSANDS.test(words);
  const isMillions = MILLIONS.test(words);
  if (FOREIGN.test(words) || (isThousands && isMillions)) return undefined;
  if (isThousands) return '1000';
  if (isMillions) return '1000000';
  return DONG.test(head.normalize('NFC').toLowerCase()) ? '1' : '';
}

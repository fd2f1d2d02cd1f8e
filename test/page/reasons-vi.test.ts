/** The reasons for a payslip in a Vietnamese document. */
import '../helpers/vietnamese.ts';
import { testPayslips } from '../helpers/payslips.ts';

testPayslips('vi');

import type { Entry } from './entry.ts'

export const matlabMessages: readonly Entry[] = [
  {
    source: 'MATLAB R2023b: reshape(1:6, 4, 1)',
    text: `Error using reshape
Number of elements must not change. Use [] as one of the size inputs to automatically calculate the appropriate size for that dimension.`,
    form: 'reshape',
    about: 'reshape',
  },
  {
    source: 'MATLAB R2023b: ones(2,3) * ones(4,5)',
    text: `Error using  *
Incorrect dimensions for matrix multiplication. Check that the number of columns in the first matrix matches the number of rows in the second matrix. To operate on each element of the matrix individually, use TIMES (.*) for elementwise multiplication.`,
    form: 'product',
    about: 'matrix product',
  },
  {
    source: 'EcoExtreML/STEMMUS_SCOPE#248',
    text: `Arrays have incompatible sizes for this operation.

Error in parameters.loadParameters (line 30)
            if name == 'Cab'`,
    form: 'broadcast',
  },
  {
    source: 'GERSL/Fmask4#27',
    text: 'Error: Arrays have incompatible sizes for this operation.',
    form: 'broadcast',
  },
  {
    source: 'ankrh/MCmatlab#11',
    text: `Arrays have incompatible sizes for this operation.

Error in MCmatlab.model/simulateHeatDistribution (line 67)
  if model.HS.silentMode && ~any(G.optTdependent(:) | G.thmTdependent(:) | G.optFDdependent(:) | G.thmFDdependent(:))`,
    form: 'broadcast',
  },
  {
    source: 'toshiakit/MatGPT#8',
    text: `Error using  == 
Arrays have incompatible sizes for this operation.
Error in TextHelper.replaceTableMarkdown (line 133)
            rowIdx = numCols == numCols(headerRowIdx);`,
    form: 'broadcast',
  },
  {
    source: 'ucl-bug/k-wave#32',
    text: `920         ux_sgx = dt .* rho0_sgx_inv .* real(ifft2( bsxfun(@times, ddx_k_shift_pos, kappa .* fft2(p)) )) / 2;
Arrays have incompatible sizes for this operation.

Error in kspaceFirstOrder2D (line 920)`,
    form: 'broadcast',
  },
  {
    source: 'yashtambi/Storage#2',
    text: "Error using .* Matrix dimensions must agree. Error in main (line 104) demand_deficit = (pvpower .* nsolarfarms') + (wpower .* nwindparks') - res_demand;",
    form: 'broadcast before R2020',
  },
  {
    source: 'intellhave/SDRSAC#5',
    text: '"Error using + Matrix dimensions must agree."',
    form: 'broadcast before R2020',
  },
  {
    source: 'cardwing/Codes-for-Lane-Detection#164',
    text: `> Matrix dimensions must agree.
> 
> Error in main (line 52)
>             probMaps(:,:,mod(j,3)+1) = probMaps(:,:,mod(j,3)+1) + probMap;`,
    form: 'broadcast before R2020',
  },
  {
    source: 'atcollab/at#65',
    text: `Error using  + 
Matrix dimensions must agree.

Error in findm44 (line 120)
RIN = R0(:,ones(1,9)) + [D4 -D4 zeros(6,1)];`,
    form: 'broadcast before R2020',
  },
  {
    source: 'irfu/irfu-matlab#103',
    text: `exception.message=Matrix dimensions must agree.
pcolor, row 61`,
    form: 'broadcast before R2020',
  },
  {
    source: 'SUwonglab/PECA#1',
    text: '"matrix dimensions must agree"',
    form: 'broadcast before R2020',
  },
  {
    source: 'rasmusbergpalm/DeepLearnToolbox#103',
    text: `Error using  ~= 
Number of array dimensions must match for binary array op.

Error in cnntest1 (line 6)`,
    form: 'broadcast before R2020',
  },
  {
    source: 'flatironinstitute/CaImAn-MATLAB#25',
    text: `Error using *
Inner matrix dimensions must agree. 

Error in determine_search_location (line 52)`,
    form: 'product',
    about: 'matrix product',
  },
  {
    source: 'jincheng9/MNIST_digit_recognition#3',
    text: "_Error using \\* Inner matrix dimensions must agree. Error in ann_classifier (line 48) hidden_output = [1; sigmf(W1'_input_x, [beta 0])];",
    form: 'product',
    about: 'matrix product',
  },
  {
    source: 'EcoExtreML/STEMMUS_SCOPE#259',
    text: 'Unable to perform assignment because the size of the left side is 1-by-1 and the size of the right side is 1-by-6.',
    form: 'assignment',
    about: 'assignment',
  },
  {
    source: 'Eric-Bradford/TS-EMO#4',
    text: `" Unable to perform assignment because the size of the left side is 1-by-3 and the size of the right side is 1-by-2 

Error in TSEMO_Example (line 25)`,
    form: 'assignment',
    about: 'assignment',
  },
  {
    source: 'cerr/CERR#765',
    text: `Unable to perform assignment because the size of the left side is 97-by-162-by-40 and the size of
the right side is 283-by-368-by-40.`,
    form: 'assignment',
    about: 'assignment',
  },
  {
    source: 'MouseLand/Kilosort#559',
    text: 'Unable to perform assignment because the size of the left side is 16-by-6-by-5795 and the size of the right side is 16-by-3-by-5795.',
    form: 'assignment',
    about: 'assignment',
  },
  {
    source: 'amforte/DivideTools#3',
    text: `> Unable to perform assignment because the size of the left side is 1-by-1 and the size of the right side is
> 2-by-1.
> 
> Error in AlongDividePlot (line 119)`,
    form: 'assignment',
    about: 'assignment',
  },
  {
    source: 'JinghaoLu/MIN1PIPE#61',
    text: `> Unable to perform assignment because the left and right sides have a different number of elements.
> 
> Error in inter_section (line 163)`,
    form: 'assignment without sizes',
    about: 'assignment',
  },
  {
    source: 'plus-microstate/toolbox#18',
    text: 'Unable to perform assignment because the indices on the left side are not compatible with the size of the right side.',
    form: 'assignment without sizes',
    about: 'assignment',
  },
  {
    source: 'GERSL/Fmask4#19',
    text: 'ERROR: Dimensions of arrays being concatenated are not consistent',
    form: 'concatenation',
    about: 'concatenation',
  },
  {
    source: 'ArizaWilmerUTAS/Multi-Output-GPs-Identification-SHIP#1',
    text: `Error using horzcat
The dimensions of concatenated matrices are not consistent.`,
    form: 'concatenation',
    about: 'concatenation',
  },
  {
    source: 'yuliu316316/NSST-PAPCNN-Fusion#1',
    text: `Error using horzcat
"Dimensions of arrays being concatenated are not consistent."`,
    form: 'concatenation',
    about: 'concatenation',
  },
  {
    source: 'n-zhang/part-based-RCNN#6',
    text: '*** Subscripted assignment dimension mismatch ***',
    form: 'assignment without sizes',
    about: 'assignment',
  },
  {
    source: 'Data2Dynamics/d2d#58',
    text: `Subscripted assignment dimension mismatch.

Error in PPL_init (line 22)
        ar.model(m).condition(c).ppl.tstart(:,ix) = repmat(t,1,length(ix));`,
    form: 'assignment without sizes',
    about: 'assignment',
  },
  {
    source: 'adawsonelli/motionAmp#2',
    text: 'Subscripted assignment dimensions do not match',
    form: 'assignment without sizes',
    about: 'assignment',
  },
  {
    source: 'yu-jiang/radpbook#5',
    text: `Assignment has more non-singleton rhs dimensions than non-singleton subscripts

Error in sym/privsubsasgn (line 1002)`,
    form: 'assignment without sizes',
    about: 'assignment',
  },
  {
    source: 'HMS-IDAC/MLRFSwCF#1',
    text: `Assignment has fewer non-singleton rhs dimensions than non-singleton subscripts
Error in mlrfsTrain (line 163)
            F(:,:,nImageFeatures+1:nImageFeatures+nLabels) = classProbs;`,
    form: 'assignment without sizes',
    about: 'assignment',
  },
]
